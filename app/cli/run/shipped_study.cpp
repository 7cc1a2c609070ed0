#include "app/cli/run/shipped_study.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>
#include <string>
#include <system_error>

#include "app/cli/run/new_process.h"
#include "core/base/error.h"

namespace ulp::cli {

namespace fs = std::filesystem;

Result<fs::path> studyNamed(const fs::path& name, const fs::path& program) {
  constexpr const char* kExtension = ".yaml";
  std::error_code ignored;
  if (name.empty() || name.has_parent_path() || fs::exists(name, ignored)) {
    return name;
  }
  fs::path file = name;
  if (file.extension() != kExtension) {
    file += kExtension;
  }
  std::set<std::string> names;
  const fs::path installed = program.parent_path().parent_path();
  // A package of a distribution has its programs in lib/ulpscope/bin.
  for (const fs::path& place : {installed, installed.parent_path().parent_path()}) {
    const fs::path configs = place / "share/ulpscope/configs";
    if (fs::exists(configs / file, ignored)) {
      return configs / file;
    }
    for (fs::directory_iterator each(configs, ignored), end; each != end; each.increment(ignored)) {
      if (each->path().extension() == kExtension) {
        names.insert(each->path().stem().string());
      }
    }
  }
  return fail(ErrorCode::NotFound,
              fmt::format("{}: there is no such file{}",
                          name.string(),
                          names.empty() ? ""
                                        : fmt::format("; studies that come with Ulpscope: {}",
                                                      fmt::join(names, ", "))));
}

Result<study::Study> loadStudyNamed(const fs::path& name, const std::vector<std::string>& sets) {
  const auto program = ULP_TRY(ownProgram());
  return study::loadStudy(ULP_TRY(studyNamed(name, program)), sets);
}

}  // namespace ulp::cli
