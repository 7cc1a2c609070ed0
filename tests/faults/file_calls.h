#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <sys/stat.h>
#include <vector>

#include "tests/faults/file_tree.h"

namespace ulp::test {

/// A call of the system that changed something below the recorded folder, or waited for the disk.
/// Numbers are those of FileTree.
struct FileCall {
  enum class Kind : std::uint8_t { Make, Remove, Rename, Exchange, Write, Resize, Sync, SyncAll };

  Kind kind = Kind::SyncAll;
  int node = -1;  ///< what it was done to
  bool isFolder = false;
  int folder = -1;  ///< that holds its name
  std::string name;
  int toFolder = -1;  ///< Rename, Exchange: where it goes
  std::string toName;
  int other = -1;        ///< Exchange: what was there
  std::uint64_t at = 0;  ///< Write: from which byte on; Resize: the new size
  std::string bytes;     ///< Write
};

/// While it lives, what this process does to the files below a folder is recorded, and fails on
/// demand. The program that holds it overrides the functions of the C library that it needs
/// (file_calls.cpp). One at a time.
class FileCalls {
 public:
  explicit FileCalls(const std::filesystem::path& root);
  ~FileCalls();
  FileCalls(const FileCalls&) = delete;
  FileCalls& operator=(const FileCalls&) = delete;

  /// What was there at the beginning.
  [[nodiscard]] const FileTree& before() const { return m_before; }
  [[nodiscard]] const std::vector<FileCall>& calls() const { return m_calls; }
  /// How many calls could have failed: opening to write, writing, waiting for the disk, renaming,
  /// making folders, changing sizes, closing what was written.
  [[nodiscard]] std::size_t failable() const { return m_failable; }
  /// Lets the call of that number (from 1 on) fail, and all later ones unless `isOnce`.
  void fail(std::size_t number, int error, bool isOnce);

  // What the functions ask and tell.

  struct Place {
    int folder;
    std::string name;
  };
  /// Where a path lies; nothing: not in a folder that is recorded.
  [[nodiscard]] std::optional<Place> placeOf(int folder, const char* path) const;
  /// The number of what is there; -1: nothing, or nothing that is recorded.
  [[nodiscard]] int nodeAt(int folder, const char* path) const;
  [[nodiscard]] int nodeOf(int fd) const;
  [[nodiscard]] bool isNextToFail();
  void made(int folder, const char* path, const Place& place, bool isFolder);
  void record(FileCall call);

 private:
  [[nodiscard]] int numberOf(const struct stat& status) const;
  void readTree(const std::filesystem::path& path, int number);

  dev_t m_device = 0;
  FileTree m_before;
  std::map<ino_t, int> m_numbers;
  int m_next = 0;
  std::vector<FileCall> m_calls;
  std::size_t m_failable = 0;
  std::size_t m_failing = 0;  ///< 0: none
  int m_error = 0;
  bool m_isOnce = true;
};

}  // namespace ulp::test
