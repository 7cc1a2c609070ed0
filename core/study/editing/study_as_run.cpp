#include "core/study/editing/study_as_run.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <map>
#include <system_error>
#include <utility>

#include "core/study/editing/study_edit.h"
#include "core/study/schema/schema.h"
#include "core/study/yaml/yaml_write.h"

namespace ulp::study {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSetNote = "# --set ";
constexpr std::string_view kVariantNote = "# --variant ";

/// A key whose value leads to a file, and where one that is relative is looked for first.
struct PathKey {
  std::string_view key;
  bool isFunction = false;  ///< FILE.py:FUNCTION
  bool isBesideFirst = false;
};
constexpr std::array<PathKey, 7> kPathKeys{
    {{.key = "model.path"},
     {.key = "model.factory", .isFunction = true, .isBesideFirst = true},
     {.key = "input.path"},
     {.key = "input.tokenizer"},
     {.key = "loss.path"},
     {.key = "python.executable", .isBesideFirst = true},
     {.key = "python.prepare", .isFunction = true, .isBesideFirst = true}}};

/// One setting of a study and whose it is.
struct OwnedSetting {
  KeyOwner owner;
  std::string key;
  Setting* setting = nullptr;

  /// As --set names it.
  [[nodiscard]] std::string name() const {
    switch (owner.kind) {
      case KeyOwner::Kind::Study:
        break;
      case KeyOwner::Kind::Reference:
        return "reference." + key;
      case KeyOwner::Kind::Variant:
        return fmt::format("variants.{}.{}", owner.variant, key);
    }
    return key;
  }
};

/// All that somebody set, in the order of the schema for the study itself.
std::vector<OwnedSetting> settingsOf(Study& study) {
  using Kind = KeyOwner::Kind;
  std::vector<OwnedSetting> all;
  for (const Key& key : schemaKeys()) {
    Setting& setting = study.settings.find(key.path)->second;
    if (setting.origin != Origin::Default) {
      all.push_back({{}, std::string(key.path), &setting});
    }
  }
  for (auto& [key, setting] : study.reference) {
    all.push_back({{.kind = Kind::Reference}, key, &setting});
  }
  for (Variant& variant : study.variants) {
    for (auto& [key, setting] : variant.overrides) {
      all.push_back({{Kind::Variant, variant.name}, key, &setting});
    }
  }
  return all;
}

/// The whole path of what a relative one leads to from here; itself where that is nothing.
std::string wholePath(const Study& study, std::string_view key, const std::string& written) {
  const auto kind = std::ranges::find(kPathKeys, key, &PathKey::key);
  if (kind == kPathKeys.end()) {
    return written;
  }
  const std::size_t colon = kind->isFunction ? written.rfind(':') : std::string::npos;
  const fs::path path = written.substr(0, colon);
  if (path.empty() || path.is_absolute()) {
    return written;
  }
  std::array<fs::path, 2> places{path, study.file.parent_path() / path};
  if (kind->isBesideFirst) {
    std::swap(places[0], places[1]);
  }
  for (const fs::path& place : places) {
    std::error_code failed;
    const fs::path whole = fs::absolute(place, failed);
    if (failed || !fs::exists(whole, failed)) {
      continue;
    }
    // Behind a link, ".." leads elsewhere.
    const fs::path shortest = whole.lexically_normal();
    const fs::path& found = fs::equivalent(whole, shortest, failed) ? shortest : whole;
    return found.string() + (colon == std::string::npos ? std::string() : written.substr(colon));
  }
  return written;
}

Result<YamlNode> valueOf(const OwnedSetting& each) {
  return valueFromText(*findKey(each.key), each.setting->value);
}

using NamedValues = std::map<std::string, std::string>;

NamedValues namedValues(const Study& study) {
  Study copy = study;
  NamedValues values;
  for (const OwnedSetting& each : settingsOf(copy)) {
    values[each.name()] = each.setting->value;
  }
  return values;
}

bool meansSame(const Study& a, const Study& b) {
  return namedValues(a) == namedValues(b) &&
         std::ranges::equal(a.variants, b.variants, {}, &Variant::name, &Variant::name);
}

/// A study and the settings of it that its text does not say so.
struct Wanted {
  Study study;
  std::vector<OwnedSetting> edits{};
  std::vector<std::string> dropped{};  ///< variants
};

/// The text, changed in its places. Errors: those of setStudyKey() and removeYaml().
Result<std::string> edited(std::string_view text, const Wanted& wanted) {
  std::string yaml(text);
  for (const std::string& name : wanted.dropped) {
    yaml = ULP_TRY(removeYaml(yaml, variantPath(name), Comments::Drop));
  }
  for (const OwnedSetting& each : wanted.edits) {
    const auto root = ULP_TRY(parseYaml(yaml, "study"));
    const std::vector<std::string> known = variantNames(root);
    const bool isNew = each.owner.kind == KeyOwner::Kind::Variant &&
                       std::ranges::find(known, each.owner.variant) == known.end();
    yaml = isNew ? ULP_TRY(addVariant(yaml, each.owner.variant, {{each.key, each.setting->value}}))
                 : ULP_TRY(setStudyKey(yaml, each.owner, each.key, ULP_TRY(valueOf(each))));
  }
  return yaml;
}

YamlNode overridesNode(const Overrides& overrides) {
  YamlNode map = mapNode();
  for (const auto& [key, setting] : overrides) {
    map.entries.push_back(
        {key, {}, valueFromText(*findKey(key), setting.value).value_or(YamlNode{})});
  }
  return map;
}

std::string asComment(std::string_view text) {
  std::string lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines += fmt::format("#   {}\n", text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// The study in other words than those of its text.
std::string writtenAnew(Wanted& wanted) {
  std::string yaml;
  for (const OwnedSetting& each : settingsOf(wanted.study)) {
    if (each.owner.kind == KeyOwner::Kind::Study) {
      yaml += fmt::format("{}: {}\n", each.key, writeFlow(valueOf(each).value_or(YamlNode{})));
    }
  }
  if (!wanted.study.reference.empty()) {
    yaml += fmt::format("reference: {}\n", writeFlow(overridesNode(wanted.study.reference)));
  }
  yaml += wanted.study.variants.empty() ? "" : "variants:\n";
  for (const Variant& variant : wanted.study.variants) {
    yaml += fmt::format(
        "  {}: {}\n", writeScalar(variant.name), writeFlow(overridesNode(variant.overrides)));
  }
  return yaml + "# As it was read:\n" + asComment(withoutRunNote(wanted.study.text));
}

/// A line of YAML comment, whatever the text holds.
std::string noteLine(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return text + "\n";
}

std::string notesOf(const Wanted& wanted) {
  std::error_code ignored;
  const fs::path& file = wanted.study.file;
  std::string notes = noteLine(fmt::format(
      "{} {}{}",
      kRunNote,
      ULP_VERSION,
      file.empty() ? "" : " from " + fs::absolute(file, ignored).lexically_normal().string()));
  const YamlNode root = parseYaml(wanted.study.text, "study").value_or(YamlNode{});
  for (const OwnedSetting& each : wanted.edits) {
    if (each.setting->origin == Origin::CommandLine) {
      const YamlNode* before = writtenValue(root, each.owner, each.key);
      notes +=
          noteLine(fmt::format("{}{}={}{}",
                               kSetNote,
                               each.name(),
                               each.setting->value,
                               before == nullptr ? "" : ", in place of " + writeFlow(*before)));
    }
  }
  if (!wanted.dropped.empty()) {
    std::vector<std::string> names;
    std::ranges::transform(wanted.study.variants, std::back_inserter(names), &Variant::name);
    notes += noteLine(fmt::format(
        "{}{}, without {}", kVariantNote, fmt::join(names, ", "), fmt::join(wanted.dropped, ", ")));
  }
  return notes;
}

}  // namespace

std::string studyAsRun(const Study& study, const std::vector<std::string>& variants) {
  Wanted wanted{.study = study};
  std::erase_if(wanted.study.variants, [&](const Variant& variant) {
    const bool isDropped = std::ranges::find(variants, variant.name) == variants.end();
    if (isDropped) {
      wanted.dropped.push_back(variant.name);
    }
    return isDropped;
  });
  for (const OwnedSetting& each : settingsOf(wanted.study)) {
    const std::string whole = wholePath(study, each.key, each.setting->value);
    if (each.setting->origin == Origin::CommandLine || whole != each.setting->value) {
      each.setting->value = whole;
      wanted.edits.push_back(each);
    }
  }
  const std::string notes = notesOf(wanted);
  std::string_view text = withoutRunNote(study.text);
  // Notes come before the text, and a mark of byte order only before everything.
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) {
    text.remove_prefix(kByteOrderMark.size());
  }
  if (auto yaml = edited(text, wanted)) {
    const auto again = parseStudy(*yaml, "study");
    if (again && meansSame(*again, wanted.study)) {
      return notes + *yaml;
    }
  }
  return notes + writtenAnew(wanted);
}

std::string_view withoutRunNote(std::string_view copy) {
  if (!copy.starts_with(kRunNote)) {
    return copy;
  }
  do {
    const std::size_t end = copy.find('\n');
    copy.remove_prefix(end == std::string_view::npos ? copy.size() : end + 1);
  } while (copy.starts_with(kSetNote) || copy.starts_with(kVariantNote));
  return copy;
}

fs::path originOfCopy(std::string_view copy) {
  constexpr std::string_view kFrom = " from ";
  const std::string_view line = copy.substr(0, copy.find('\n'));
  const std::size_t from = line.find(kFrom);
  return line.starts_with(kRunNote) && from != std::string_view::npos
             ? fs::path(line.substr(from + kFrom.size()))
             : fs::path();
}

std::vector<std::string> keysSetInCopy(std::string_view copy) {
  std::vector<std::string> keys;
  std::string_view notes = copy.substr(0, copy.size() - withoutRunNote(copy).size());
  while (!notes.empty()) {
    const std::size_t end = std::min(notes.find('\n'), notes.size());
    const std::string_view line = notes.substr(0, end);
    if (line.starts_with(kSetNote)) {
      keys.emplace_back(line.substr(kSetNote.size(), line.find('=') - kSetNote.size()));
    }
    notes.remove_prefix(std::min(end + 1, notes.size()));
  }
  return keys;
}

}  // namespace ulp::study
