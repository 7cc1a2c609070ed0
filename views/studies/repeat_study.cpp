#include "views/studies/repeat_study.h"

#include <array>

#include "core/analysis/studies/study_paths.h"
#include "core/study/editing/study_as_run.h"
#include "core/study/editing/study_edit.h"
#include "core/study/yaml/yaml_write.h"

namespace ulp::views {

namespace fs = std::filesystem;

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
  std::error_code ignored;
  const std::array folders{fs::absolute(studyFile, ignored).parent_path()};
  const auto edited =
      ULP_TRY(analysis::withFoundPaths(study::withoutRunNote(text), studyFile.string(), folders));
  return study::setStudyKey(
      edited, {}, "output_dir", study::scalarNode(freeFolder(outputDir).string()));
}

}  // namespace ulp::views
