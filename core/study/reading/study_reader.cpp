#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <ranges>

#include "core/base/files/atomic_file.h"
#include "core/study/fast_llm/fast_llm_study.h"
#include "core/study/reading/study.h"
#include "core/study/reading/study_fields.h"
#include "core/study/reading/study_text.h"
#include "core/study/schema/schema.h"
#include "core/study/schema/value_check.h"
#include "core/study/yaml/yaml_tree.h"

namespace ulp::study {
namespace {

constexpr std::string_view kReferencePrefix = "reference.";
constexpr std::string_view kVariantsPrefix = "variants.";
constexpr std::size_t kMaxNameBytes = 100;
constexpr std::size_t kMaxFileBytes = std::size_t{4} << 20;

/// Whose settings a piece of YAML sets: the study's, or those of one run.
struct Owner {
  Overrides* overrides = nullptr;  ///< null: the study's settings
  std::string label;               ///< "variant 'bf16'", "the reference"
};

/// "variants.bf16.precision.cast" -> "bf16", "precision.cast". Names may hold dots, so the split is
/// where a known key begins.
std::optional<std::pair<std::string_view, std::string_view>> splitVariantPath(
    std::string_view path) {
  path.remove_prefix(kVariantsPrefix.size());
  for (std::size_t dot = path.find('.'); dot != std::string_view::npos;
       dot = path.find('.', dot + 1)) {
    if (findKey(path.substr(dot + 1)) != nullptr) {
      return std::pair{path.substr(0, dot), path.substr(dot + 1)};
    }
  }
  return std::nullopt;
}

class StudyReader {
 public:
  StudyReader(std::string_view origin, std::filesystem::path file) : m_origin(origin) {
    static const Settings kDefaults = [] {
      Settings defaults;
      for (const Key& key : schemaKeys()) {
        defaults.try_emplace(std::string(key.path),
                             Setting{std::string(key.defaultText), Origin::Default, {}});
      }
      return defaults;
    }();
    m_study.file = std::move(file);
    m_study.settings = kDefaults;
  }

  Result<Study> read(std::string_view yaml, const std::vector<std::string>& sets) {
    m_study.text = yaml;
    const auto root = ULP_TRY(parseYaml(yaml, m_origin));
    if (root.kind == YamlNode::Kind::Null) {
      return fail(ErrorCode::InvalidArgument,
                  fmt::format("{}: the study is empty; it needs at least model.path", m_origin));
    }
    if (root.kind != YamlNode::Kind::Map) {
      return fail(ErrorCode::InvalidArgument,
                  fmt::format("{}: a study is a map of keys to values (key: value)", m_origin));
    }
    if (isFastLlmStudy(root)) {
      readFastLlm(root);
    } else {
      readMap(root, "", {});
    }
    for (const std::string& set : sets) {
      readSet(set);
    }
    const auto isSet = [this](std::string_view key) {
      return m_study.settings.find(key)->second.origin != Origin::Default;
    };
    if (!isSet("model.path") && !isSet("model.factory") && m_errors.empty()) {
      addError({}, "'model.path' is missing; it names the model to evaluate");
    }
    for (const ValueProblem& problem : fillStudy(m_study)) {
      addError(problem.position, problem.message);
    }
    if (!m_errors.empty()) {
      return fail(ErrorCode::InvalidArgument, joinedErrors());
    }
    return std::move(m_study);
  }

 private:
  void addError(SourcePosition position, std::string_view message) {
    if (!m_set.empty()) {
      // After those of the file, in the order of the command line.
      m_errors.push_back({{1 << 30, 0}, fmt::format("--set {}: {}", m_set, message)});
    } else {
      m_errors.push_back({position, fmt::format("{}: {}", placeIn(m_origin, position), message)});
    }
  }

  std::string joinedErrors() {
    std::ranges::stable_sort(m_errors, {}, [](const ValueProblem& problem) {
      return std::pair(problem.position.line, problem.position.column);
    });
    return fmt::format("{}",
                       fmt::join(m_errors | std::views::transform(&ValueProblem::message), "\n"));
  }

  void readFastLlm(const YamlNode& root) {
    FastLlmTranslation translation = translateFastLlm(root, m_study.file.parent_path());
    for (const ValueProblem& problem : translation.problems) {
      addError(problem.position, problem.message);
    }
    m_study.warnings = std::move(translation.notes);
    readMap(translation.study, "", {});
  }

  void readMap(const YamlNode& map, const std::string& prefix, const Owner& owner) {
    for (const YamlNode::Entry& entry : map.entries) {
      readEntry(entry, prefix.empty() ? entry.key : prefix + "." + entry.key, owner);
    }
  }

  void readEntry(const YamlNode::Entry& entry, const std::string& path, const Owner& owner) {
    if (const Key* key = findKey(path)) {
      assign(*key, entry, owner);
    } else if (isSection(path)) {
      readSection(entry, path, owner);
    } else if (owner.overrides == nullptr && path == "reference") {
      readOverrides(entry, {&m_study.reference, "the reference"});
    } else if (owner.overrides == nullptr && path == "variants") {
      readVariants(entry);
    } else if (owner.overrides == nullptr && path.starts_with(kReferencePrefix)) {
      readEntry(entry, path.substr(kReferencePrefix.size()), {&m_study.reference, "the reference"});
    } else if (owner.overrides == nullptr && path.starts_with(kVariantsPrefix) &&
               splitVariantPath(path)) {
      const auto [name, keyPath] = *splitVariantPath(path);
      if (checkName(name, entry.position)) {
        readEntry(entry, std::string(keyPath), ownerOf(name));
      }
    } else if (owner.overrides == nullptr && path.starts_with(kVariantsPrefix) &&
               path.find('.', kVariantsPrefix.size()) == std::string::npos &&
               entry.value.kind == YamlNode::Kind::Map) {
      readVariant(entry, path.substr(kVariantsPrefix.size()));
    } else {
      addUnknownKey(entry, path, owner);
    }
  }

  void addUnknownKey(const YamlNode::Entry& entry, std::string_view path, const Owner& owner) {
    std::string_view nearest = nearestKey(path);
    if (entry.value.kind == YamlNode::Kind::Map) {
      nearest = nearestSection(path);
    }
    if (nearest.empty() && path.starts_with(kVariantsPrefix)) {
      const std::size_t dot = path.find('.', kVariantsPrefix.size());
      nearest = dot == std::string_view::npos ? "" : nearestKey(path.substr(dot + 1));
    }
    const std::string where = owner.overrides == nullptr ? "" : " in " + owner.label;
    const std::string hint = nearest.empty() ? "; `ulpscope-cli schema` lists the keys"
                                             : fmt::format("; did you mean '{}'?", nearest);
    addError(entry.position, fmt::format("unknown key '{}'{}{}", path, where, hint));
  }

  void readSection(const YamlNode::Entry& entry, const std::string& path, const Owner& owner) {
    if (entry.value.kind == YamlNode::Kind::Map) {
      readMap(entry.value, path, owner);
    } else if (entry.value.kind != YamlNode::Kind::Null) {
      addError(entry.value.position,
               fmt::format("'{}' is a section and takes keys, not a value", path));
    }
  }

  void readOverrides(const YamlNode::Entry& entry, const Owner& owner) {
    if (entry.value.kind == YamlNode::Kind::Map) {
      readMap(entry.value, "", owner);
    } else if (entry.value.kind != YamlNode::Kind::Null) {
      addError(entry.value.position,
               fmt::format("{} must be a map such as {{precision.compute_dtype: bfloat16}}",
                           owner.label));
    }
  }

  void readVariants(const YamlNode::Entry& variants) {
    if (variants.value.kind == YamlNode::Kind::Null) {
      return;
    }
    if (variants.value.kind != YamlNode::Kind::Map) {
      addError(variants.value.position, "'variants' must be a map of names to overrides");
      return;
    }
    for (const YamlNode::Entry& entry : variants.value.entries) {
      const YamlNode::Entry& first = *variants.value.find(entry.key);
      if (&first != &entry) {
        addError(
            entry.position,
            fmt::format(
                "variant '{}' is defined twice, first in line {}", entry.key, first.position.line));
      } else {
        readVariant(entry, entry.key);
      }
    }
  }

  void readVariant(const YamlNode::Entry& entry, std::string_view name) {
    if (checkName(name, entry.position)) {
      readOverrides(entry, ownerOf(name));
    }
  }

  /// Run names become folder, file and HDF5 group names.
  bool checkName(std::string_view name, SourcePosition position) {
    const auto isForbidden = [](char c) {
      return c == '/' || c == '\\' || static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    };
    if (name == kReferenceName) {
      addError(position,
               "a variant cannot be called 'reference'; the key `reference:` at the top level sets "
               "what the reference run changes");
      return false;
    }
    if (name.empty() || name.size() > kMaxNameBytes || name.front() == '.' || name.front() == ' ' ||
        name.back() == ' ' || std::any_of(name.begin(), name.end(), isForbidden)) {
      addError(position,
               fmt::format("'{}' cannot name a variant: up to {} bytes without slashes, control "
                           "characters, a leading dot or outer blanks",
                           name,
                           kMaxNameBytes));
      return false;
    }
    return true;
  }

  Owner ownerOf(std::string_view name) {
    const auto found = std::ranges::find(m_study.variants, name, &Variant::name);
    Variant& variant = found == m_study.variants.end()
                           ? m_study.variants.emplace_back(Variant{std::string(name), {}})
                           : *found;
    return {&variant.overrides, fmt::format("variant '{}'", name)};
  }

  void assign(const Key& key, const YamlNode::Entry& entry, const Owner& owner) {
    if (owner.overrides != nullptr && key.scope == KeyScope::Study) {
      addError(entry.position,
               fmt::format("'{}' holds for the whole study and cannot be set in {}; runs differ in "
                           "formats, kernels, batches and their settings only",
                           key.path,
                           owner.label));
      return;
    }
    const auto value = checkValue(key, entry.value);
    if (!value) {
      addError(value.error().position, value.error().message);
      return;
    }
    Setting& setting = settingOf(key, owner);
    if (m_set.empty() && setting.position.line != 0) {
      addError(entry.position,
               fmt::format("'{}' is set twice, first in line {}", key.path, setting.position.line));
      return;
    }
    const Origin origin = owner.overrides == nullptr ? Origin::Study : Origin::Variant;
    setting = {*value, m_set.empty() ? origin : Origin::CommandLine, entry.value.position};
  }

  Setting& settingOf(const Key& key, const Owner& owner) {
    if (owner.overrides == nullptr) {
      return m_study.settings[std::string(key.path)];
    }
    const auto found = std::ranges::find(*owner.overrides, key.path, &Overrides::value_type::first);
    return found == owner.overrides->end()
               ? owner.overrides->emplace_back(std::string(key.path), Setting{}).second
               : found->second;
  }

  void readSet(const std::string& set) {
    m_set = set;
    const std::size_t equals = set.find('=');
    if (equals == std::string::npos || equals == 0) {
      addError({}, "expected KEY=VALUE, for example precision.cast=module");
    } else if (const auto value = parseYaml(set.substr(equals + 1), "value"); !value) {
      addError({}, value.error().message());
    } else {
      YamlNode::Entry entry{set.substr(0, equals), {}, *value};
      readEntry(entry, entry.key, {});
    }
    m_set.clear();
  }

  std::string_view m_origin;
  std::string m_set;  ///< the `--set` being read; empty: the file
  Study m_study;
  std::vector<ValueProblem> m_errors;  ///< with the place in the file in front
};

}  // namespace

Result<Study> parseStudy(std::string_view yaml,
                         std::string_view origin,
                         const std::vector<std::string>& sets) {
  return StudyReader(origin, {}).read(yaml, sets);
}

Result<Study> loadStudy(const std::filesystem::path& path, const std::vector<std::string>& sets) {
  const auto text = ULP_TRY(readTextFile(path, kMaxFileBytes));
  return studyOfText(path, text, sets);
}

Result<Study> studyOfText(const std::filesystem::path& file,
                          std::string_view text,
                          const std::vector<std::string>& sets) {
  const std::string origin = file.string();
  return StudyReader(origin, file).read(text, sets);
}

}  // namespace ulp::study
