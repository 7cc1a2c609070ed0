#include "views/studies/repeat_study.h"

#include <array>

#include "core/study/editing/study_edit.h"
#include "core/study/yaml/yaml_write.h"

namespace ulp::views {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kRunNote = "# As run by Ulpscope";

/// The comment lines that the run folder's copy begins with.
std::string_view withoutRunNote(std::string_view text) {
  while (text.starts_with(kRunNote) || text.starts_with("# --set ")) {
    const std::size_t end = text.find('\n');
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return text;
}

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

}  // namespace

fs::path freeFolder(const fs::path& folder) {
  std::error_code ignored;
  // "runs/x/" would become "runs/x/-2".
  const fs::path base = folder.has_filename() ? folder : folder.parent_path();
  fs::path candidate = base;
  for (int number = 2; fs::exists(candidate, ignored); ++number) {
    candidate = base;
    candidate += "-" + std::to_string(number);
  }
  return candidate;
}

Result<std::string> withFoundPaths(std::string_view text,
                                   std::string_view origin,
                                   std::span<const fs::path> folders) {
  std::string edited(text);
  const auto root = ULP_TRY(study::parseYaml(edited, origin));
  const study::KeyOwner owner;
  for (const char* key : {"model.path", "input.path", "input.tokenizer"}) {
    const study::YamlNode* written = study::writtenValue(root, owner, key);
    const fs::path found = written == nullptr ? fs::path() : foundBelow(folders, written->text);
    if (!found.empty()) {
      edited = ULP_TRY(study::setStudyKey(edited, owner, key, study::scalarNode(found.string())));
    }
  }
  return edited;
}

fs::path originOfCopy(std::string_view text) {
  constexpr std::string_view kFrom = " from ";
  const std::string_view line = text.substr(0, text.find('\n'));
  const std::size_t from = line.find(kFrom);
  return line.starts_with(kRunNote) && from != std::string_view::npos
             ? fs::path(line.substr(from + kFrom.size()))
             : fs::path();
}

Result<std::string> repeatStudy(std::string_view text,
                                const fs::path& studyFile,
                                const fs::path& outputDir) {
  std::error_code ignored;
  const std::array folders{fs::absolute(studyFile, ignored).parent_path()};
  const auto edited = ULP_TRY(withFoundPaths(withoutRunNote(text), studyFile.string(), folders));
  return study::setStudyKey(
      edited, {}, "output_dir", study::scalarNode(freeFolder(outputDir).string()));
}

}  // namespace ulp::views
