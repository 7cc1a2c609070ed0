#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include "core/base/result.h"
#include "core/study/reading/study.h"

namespace ulp::worker {

/// Makes digests of the files that runs of a study depend on and that settings name, each once.
class FileDigests {
 public:
  using ByKey = std::map<std::string, std::string, std::less<>>;

  explicit FileDigests(const study::Study& study) : m_study(study) {}
  /// SHA-256 in hexadecimal, by the key that names the file: of functions (model.factory,
  /// python.prepare), of loss.path where the loss reads it, of the config.json in model.path.
  /// Without those that cannot be read, of which the run tells.
  [[nodiscard]] Result<ByKey> of(const study::Settings& settings);

 private:
  [[nodiscard]] std::filesystem::path fileOf(std::string_view key, const std::string& value) const;

  const study::Study& m_study;
  std::map<std::filesystem::path, std::string> m_known;  ///< empty: cannot be read
};

/// Errors: InvalidArgument where a run had another version of a file of functions (`ran`: SHA-256
/// by path) than the study began with.
[[nodiscard]] Result<> checkUnchanged(const study::Study& study,
                                      const study::Settings& settings,
                                      const FileDigests::ByKey& planned,
                                      const std::map<std::string, std::string>& ran);

}  // namespace ulp::worker
