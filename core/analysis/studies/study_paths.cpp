#include "core/analysis/studies/study_paths.h"

#include <algorithm>
#include <array>
#include <system_error>
#include <utility>

#include "core/study/editing/study_as_run.h"
#include "core/study/editing/study_edit.h"
#include "core/study/yaml/yaml_write.h"

namespace ulp::analysis {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 7> kPaths{"model.path",
                                                 "model.factory",
                                                 "input.path",
                                                 "input.tokenizer",
                                                 "loss.path",
                                                 "python.executable",
                                                 "python.prepare"};
/// Of these the value is FILE.py:FUNCTION.
constexpr std::array<std::string_view, 2> kFunctions{"model.factory", "python.prepare"};

/// Where `written` is found when only one of `folders` has it; empty: not there.
fs::path foundBelow(std::span<const fs::path> folders, const fs::path& written) {
  std::error_code ignored;
  if (written.empty() || written.is_absolute() || fs::exists(written, ignored)) {
    return {};
  }
  for (const fs::path& folder : folders) {
    if (const fs::path found = folder / written; fs::exists(found, ignored)) {
      return found.lexically_normal();
    }
  }
  return {};
}

/// The same of the value of a key.
std::string foundValue(std::span<const fs::path> folders,
                       std::string_view key,
                       std::string_view written) {
  const bool isFunction = std::ranges::find(kFunctions, key) != kFunctions.end();
  const std::size_t colon = isFunction ? written.rfind(':') : std::string_view::npos;
  const fs::path found = foundBelow(folders, written.substr(0, colon));
  return found.empty() || colon == std::string_view::npos
             ? found.string()
             : found.string() + std::string(written.substr(colon));
}

/// The study, its reference and its variants.
std::vector<study::KeyOwner> ownersIn(const study::YamlNode& root) {
  using Kind = study::KeyOwner::Kind;
  std::vector<study::KeyOwner> owners{{.kind = Kind::Study}, {.kind = Kind::Reference}};
  if (const study::YamlNode::Entry* variants = root.find("variants")) {
    for (const study::YamlNode::Entry& variant : variants->value.entries) {
      owners.push_back({Kind::Variant, variant.key});
    }
  }
  return owners;
}

}  // namespace

Result<std::string> withFoundPaths(std::string_view text,
                                   std::string_view origin,
                                   std::span<const fs::path> folders) {
  std::string edited(text);
  const auto root = ULP_TRY(study::parseYaml(edited, origin));
  for (const study::KeyOwner& owner : ownersIn(root)) {
    for (const std::string_view key : kPaths) {
      const study::YamlNode* written = study::writtenValue(root, owner, key);
      const std::string found =
          written == nullptr ? std::string() : foundValue(folders, key, written->text);
      if (!found.empty()) {
        edited = ULP_TRY(study::setStudyKey(edited, owner, key, study::scalarNode(found)));
      }
    }
  }
  return edited;
}

std::vector<fs::path> startsOfPaths(const NamedRun& run) {
  std::vector<fs::path> folders;
  const fs::path study = study::originOfCopy(run.loaded.report->studyYaml);
  if (!study.empty()) {
    folders.push_back(study.parent_path());
  }
  std::error_code ignored;
  for (fs::path folder = fs::absolute(run.loaded.folder, ignored); folder.has_relative_path();
       folder = folder.parent_path()) {
    folders.push_back(folder);
  }
  return folders;
}

}  // namespace ulp::analysis
