#include "views/studies/repeat_study.h"

#include "core/study/editing/study_edit.h"
#include "core/study/yaml/yaml_write.h"

namespace ulp::views {
namespace {

namespace fs = std::filesystem;

/// The comment lines that the run folder's copy begins with.
std::string_view withoutRunNote(std::string_view text) {
  while (text.starts_with("# As run by Ulpscope") || text.starts_with("# --set ")) {
    const std::size_t end = text.find('\n');
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return text;
}

/// Where `written` is found when only the study's own folder has it; empty: not there.
fs::path besideStudy(const fs::path& written, const fs::path& studyFile) {
  std::error_code ignored;
  if (written.empty() || written.is_absolute() || fs::exists(written, ignored)) {
    return {};
  }
  const fs::path found = fs::absolute(studyFile, ignored).parent_path() / written;
  return fs::exists(found, ignored) ? found.lexically_normal() : fs::path();
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

Result<std::string> repeatStudy(std::string_view text,
                                const fs::path& studyFile,
                                const fs::path& outputDir) {
  std::string edited(withoutRunNote(text));
  const auto root = ULP_TRY(study::parseYaml(edited, studyFile.string()));
  const study::KeyOwner owner;
  for (const char* key : {"model.path", "input.path", "input.tokenizer"}) {
    const study::YamlNode* written = study::writtenValue(root, owner, key);
    const fs::path found = written == nullptr ? fs::path() : besideStudy(written->text, studyFile);
    if (!found.empty()) {
      edited = ULP_TRY(study::setStudyKey(edited, owner, key, study::scalarNode(found.string())));
    }
  }
  return study::setStudyKey(
      edited, owner, "output_dir", study::scalarNode(freeFolder(outputDir).string()));
}

}  // namespace ulp::views
