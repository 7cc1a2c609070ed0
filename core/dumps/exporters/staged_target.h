#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "core/base/files/file_descriptor.h"
#include "core/base/result.h"

namespace ulp::dumps {

/// The file that marks a folder as an export of ours, and says what of.
inline constexpr std::string_view kExportMark = "ulpscope_export.json";

/// A file or folder that appears under its path when all of it is there, and on the disk: until
/// then it is made in a new folder beside it (unfinishedName()), which goes away with this object.
/// What a killed process left of it goes with the next export to the same path. A link to a file
/// stays, and the file that it leads to is replaced.
class StagedTarget {
 public:
  /// Errors: InvalidArgument where the target exists, unless `mayReplace` and it is a file, an
  /// empty folder or an earlier export, none of them a link to a folder; NotFound (no folder to put
  /// it in); Io.
  [[nodiscard]] static Result<StagedTarget> create(const std::filesystem::path& target,
                                                   bool isFile,
                                                   bool mayReplace);

  ~StagedTarget();
  StagedTarget(StagedTarget&& other) noexcept;
  StagedTarget& operator=(StagedTarget&&) = delete;
  StagedTarget(const StagedTarget&) = delete;
  StagedTarget& operator=(const StagedTarget&) = delete;

  /// To write to.
  [[nodiscard]] std::filesystem::path folder() const { return m_staging / "new"; }
  /// To write to, for a target that is a file.
  [[nodiscard]] std::filesystem::path file() const { return folder() / m_target.filename(); }

  /// Waits for the disk, gives the target its name and returns the bytes of its files. Errors: Io;
  /// InvalidArgument as in create(), of what appeared at the target meanwhile. What was there is
  /// then there again.
  [[nodiscard]] Result<std::uint64_t> commit();

 private:
  StagedTarget(std::filesystem::path target, bool isFile, bool mayReplace);

  [[nodiscard]] Result<> makeFolder();
  [[nodiscard]] Result<> rename();
  [[nodiscard]] Result<> exchangeFolders();
  [[nodiscard]] Result<> replaceFolder();
  [[nodiscard]] Result<> putBack(const std::filesystem::path& old, const Error& reason);
  [[nodiscard]] tl::unexpected<Error> writeError(int number) const;

  std::filesystem::path m_target;
  std::filesystem::path m_staging;  ///< empty: there is none
  FileDescriptor m_mark;            ///< the staging folder, open for as long as it is ours
  bool m_isFile;
  bool m_mayReplace;
};

}  // namespace ulp::dumps
