package io.quantail.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.xml.sax.SAXException;

/**
 * Modules and test settings of the root {@code pom.xml}.
 *
 * @param modules modules of every build
 * @param profiles modules that a profile adds, by the profile's name
 * @param excludedTags tags whose tests the default build leaves out ({@code excludedGroups})
 */
record BuildDescription(
    List<String> modules, Map<String, List<String>> profiles, Set<String> excludedTags) {
  BuildDescription {
    modules = List.copyOf(modules);
    profiles = Map.copyOf(profiles);
    excludedTags = Set.copyOf(excludedTags);
  }

  static BuildDescription read(Path pom) throws IOException {
    Element project = parse(pom);
    Map<String, List<String>> profiles = new TreeMap<>();
    for (Element profile :
        children(project, "profiles").flatMap(all -> children(all, "profile")).toList()) {
      String name = children(profile, "id").map(BuildDescription::text).findFirst().orElseThrow();
      profiles.put(name, modulesOf(profile));
    }
    Set<String> tags = new TreeSet<>();
    children(project, "properties")
        .flatMap(properties -> children(properties, "excludedGroups"))
        .flatMap(groups -> Arrays.stream(text(groups).split("[,|]")))
        .map(String::strip)
        .filter(tag -> !tag.isEmpty())
        .forEach(tags::add);
    return new BuildDescription(modulesOf(project), profiles, tags);
  }

  /** The modules that a build with the profiles has. */
  List<String> modulesWith(Set<String> active) {
    return Stream.concat(modules.stream(), active.stream().flatMap(this::modulesOfProfile))
        .toList();
  }

  private Stream<String> modulesOfProfile(String profile) {
    if (!profiles.containsKey(profile)) {
      throw new IllegalArgumentException(
          "pom.xml has no profile " + profile + ", only " + new TreeSet<>(profiles.keySet()));
    }
    return profiles.get(profile).stream();
  }

  private static List<String> modulesOf(Element owner) {
    return children(owner, "modules")
        .flatMap(modules -> children(modules, "module"))
        .map(BuildDescription::text)
        .toList();
  }

  private static Stream<Element> children(Element parent, String name) {
    return IntStream.range(0, parent.getChildNodes().getLength())
        .mapToObj(index -> parent.getChildNodes().item(index))
        .filter(node -> node.getNodeName().equals(name))
        .map(Element.class::cast);
  }

  private static String text(Element element) {
    return element.getTextContent().strip();
  }

  private static Element parse(Path pom) throws IOException {
    try (var input = Files.newInputStream(pom)) {
      return DocumentBuilderFactory.newDefaultInstance()
          .newDocumentBuilder()
          .parse(input)
          .getDocumentElement();
    } catch (ParserConfigurationException | SAXException e) {
      throw new IOException("cannot read " + pom, e);
    }
  }
}
