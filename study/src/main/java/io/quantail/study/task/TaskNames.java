package io.quantail.study.task;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Names of the tasks that are under way; directories have the same names. */
final class TaskNames {
  private static final Pattern SAFE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

  private final Set<String> names = new HashSet<>();

  /** Refuses names that are unsafe for directories or used by two tasks. */
  static void require(List<? extends Task<?>> tasks) {
    TaskNames names = new TaskNames();
    tasks.forEach(task -> names.add(task.name()));
  }

  /** Adds a name; refuses one that is unsafe for a directory or that another task has. */
  void add(String name) {
    if (name == null || !SAFE.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "a task's name must be 1 to 100 letters, digits, '.', '_' or '-' and begin with a"
              + " letter or digit, was '%s'".formatted(name));
    }
    if (!names.add(name)) {
      throw new IllegalArgumentException("two tasks have the name '%s'".formatted(name));
    }
  }

  void remove(String name) {
    names.remove(name);
  }

  int size() {
    return names.size();
  }
}
