package io.quantail.testing;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Results of test runs in the target directories of the modules.
 *
 * @param declarations tests that carry requirements, of the modules whose tests ran
 * @param outcomes how those of them that ran ended
 * @param unread classes among the test sources of modules whose tests did not run; the value is the
 *     profile that builds the module, empty for a module of this build
 */
record TestResults(
    List<TestDeclaration> declarations,
    List<TestOutcome> outcomes,
    Map<String, Optional<String>> unread) {
  private static final String JAVA = ".java";

  TestResults {
    declarations = List.copyOf(declarations);
    outcomes = List.copyOf(outcomes);
    unread = Map.copyOf(unread);
  }

  /** Reads the files of all modules that a build with the profiles has. */
  static TestResults read(Path root, BuildDescription build, Set<String> profiles)
      throws IOException {
    List<Path> modules = build.modulesWith(profiles).stream().map(root::resolve).toList();
    return new TestResults(
        read(modules, RequirementListener.DECLARED_FILE_NAME, new TypeReference<>() {}),
        read(modules, RequirementListener.FILE_NAME, new TypeReference<>() {}),
        unread(root, build, modules));
  }

  private static <T> List<T> read(List<Path> modules, String name, TypeReference<List<T>> type)
      throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    List<T> records = new ArrayList<>();
    for (Path module : modules) {
      Path file = targetOf(module).resolve(name);
      if (Files.exists(file)) {
        records.addAll(mapper.readValue(file.toFile(), type));
      }
    }
    return records;
  }

  private static Map<String, Optional<String>> unread(
      Path root, BuildDescription build, List<Path> modules) throws IOException {
    Map<String, Optional<String>> unread = new TreeMap<>();
    for (Path module : modules) {
      if (!Files.exists(targetOf(module).resolve(RequirementListener.DECLARED_FILE_NAME))) {
        testSourcesOf(module).forEach(test -> unread.put(test, Optional.empty()));
      }
    }
    for (Map.Entry<String, List<String>> profile : build.profiles().entrySet()) {
      for (String name : profile.getValue()) {
        Path module = root.resolve(name);
        if (!modules.contains(module)) {
          testSourcesOf(module).forEach(test -> unread.put(test, Optional.of(profile.getKey())));
        }
      }
    }
    return unread;
  }

  private static Path targetOf(Path module) {
    return module.resolve("target");
  }

  private static List<String> testSourcesOf(Path module) throws IOException {
    Path sources = module.resolve("src").resolve("test").resolve("java");
    if (!Files.isDirectory(sources)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(sources)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(JAVA))
          .map(name -> name.substring(0, name.length() - JAVA.length()))
          .toList();
    }
  }
}
