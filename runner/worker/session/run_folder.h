#pragma once

#include <filesystem>
#include <memory>

#include "core/base/files/file_descriptor.h"
#include "core/base/result.h"
#include "runner/worker/session/run_options.h"

namespace ulp::worker {

/// The output folder of a study, held by one worker at a time. The lock ends with the process,
/// however that ends.
class RunFolder {
 public:
  /// Creates the folder where it is missing and takes the lock; removes and writes nothing else.
  /// Errors: InvalidArgument when it holds results and `existing` is Refuse, when another worker
  /// uses it, or when a link in it would lead what is written elsewhere; Io.
  [[nodiscard]] static Result<std::unique_ptr<RunFolder>> claim(const std::filesystem::path& path,
                                                                ExistingResults existing);

  /// Gives the lock back; a folder that claim() made and that is still empty goes away.
  ~RunFolder();
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
  [[nodiscard]] std::filesystem::path reportFile() const;
  [[nodiscard]] bool hasReport() const;
  /// Removes the files that Ulpscope made, nothing else. Errors: Io with the path.
  [[nodiscard]] Result<> removeResults() const;

 private:
  RunFolder(std::filesystem::path path, bool isNew);

  std::filesystem::path m_path;
  bool m_isNew;
  FileDescriptor m_lock;

  [[nodiscard]] Result<> lock();
};

}  // namespace ulp::worker
