import java.io.File;
import java.util.List;
import org.gradle.api.Project;
import org.gradle.testfixtures.ProjectBuilder;

/**
 * Prints what Gradle puts on the class path of a Java project that depends on an artifact, and
 * nothing else; see tools/library-check --gradle.
 */
final class GradleResolve {
  public static void main(String[] arguments) {
    Project project =
        ProjectBuilder.builder()
            .withProjectDir(new File(arguments[0], "project"))
            .withGradleUserHomeDir(new File(arguments[0], "home"))
            .build();
    project.getPluginManager().apply("java");
    for (String url : List.of(arguments[1], "https://repo.maven.apache.org/maven2")) {
      project.getRepositories().maven(repository -> repository.setUrl(url));
    }
    project.getDependencies().add("implementation", arguments[2]);
    System.out.println("Gradle " + project.getGradle().getGradleVersion());
    for (String path : List.of("compileClasspath", "runtimeClasspath")) {
      for (File jar : project.getConfigurations().getByName(path).resolve()) {
        System.out.println(path + " " + jar);
      }
    }
    System.exit(0); // Gradle leaves threads behind
  }
}
