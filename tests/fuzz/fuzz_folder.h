#pragma once

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#include "core/base/files/file_descriptor.h"
#include "tests/support/machine/temp_dir.h"

/// Inputs of formats that are read from the disk: they become files.
namespace ulp::test {

/// Below memory where the system has that. Targets that always read the same files share one for
/// all inputs: to make and remove a folder takes longer than to read it.
class FuzzFolder : public TempDir {
 public:
  FuzzFolder() : TempDir(std::filesystem::is_directory("/dev/shm") ? "/dev/shm" : "/tmp") {}

  /// False: left out, since the names of an input contradict each other.
  bool write(const std::filesystem::path& name, std::string_view content) const {
    const std::string file = path() / name;
    const int failure = writeFile(file, content);
    if (failure != ENOENT || !name.has_parent_path()) {
      return failure == 0;
    }
    std::error_code ignored;
    std::filesystem::create_directories((path() / name).parent_path(), ignored);
    return writeFile(file, content) == 0;
  }

 protected:
  /// Returns 0 or an errno. Less work than a stream is.
  static int writeFile(const std::string& file, std::string_view content) {
    FileDescriptor opened(::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
    const int failure = opened ? writeAll(opened.get(), std::as_bytes(std::span(content))) : errno;
    return failure != 0 ? failure : opened.close();
  }
};

/// Files one after the other, each as "NAME\nSIZE\n" and its bytes; what does not fit ends them.
/// Names that would leave the folder are left out.
template <class Folder>
void unpack(std::string_view input, Folder& folder) {
  constexpr std::size_t kMostFiles = 64;
  for (std::size_t file = 0; file < kMostFiles && !input.empty(); ++file) {
    const std::size_t line = input.find('\n');
    const std::size_t sizeLine = line == std::string_view::npos ? line : input.find('\n', line + 1);
    if (sizeLine == std::string_view::npos) {
      return;
    }
    const std::string_view name = input.substr(0, line);
    std::size_t size = 0;
    std::from_chars(input.data() + line + 1, input.data() + sizeLine, size);
    input.remove_prefix(sizeLine + 1);
    size = std::min(size, input.size());
    const std::filesystem::path path(name);
    const bool isInside =
        !name.empty() && name.size() < 200 && name.find('\0') == std::string_view::npos &&
        path.is_relative() && path.has_filename() &&
        std::none_of(path.begin(), path.end(), [](const auto& part) { return part == ".."; });
    if (isInside) {
      folder.write(path, input.substr(0, size));
    }
    input.remove_prefix(size);
  }
}

/// A folder for the files of one input after the other. What the last one had is known, and so is
/// removed in a fraction of the time that it takes to look for it.
class RefilledFolder : public FuzzFolder {
 public:
  void refill(std::string_view input) {
    clear();
    unpack(input, *this);
  }
  /// For unpack(): as of FuzzFolder.
  void write(const std::filesystem::path& name, std::string_view content) {
    const std::string file = path() / name;
    int failure = writeFile(file, content);
    if (failure == ENOENT) {
      makeFoldersOf(name);
      failure = writeFile(file, content);
    }
    if (failure == 0) {
      m_made.push_back({file, false});
    }
  }

 private:
  void makeFoldersOf(const std::filesystem::path& name) {
    std::filesystem::path folder = path();
    for (const std::filesystem::path& part : name.parent_path()) {
      folder /= part;
      if (::mkdir(folder.c_str(), 0755) == 0) {
        m_made.push_back({folder, true});
      }
    }
  }
  void clear() {
    for (; !m_made.empty(); m_made.pop_back()) {
      const auto& [path, isFolder] = m_made.back();
      // A file that an input named twice is gone already.
      if ((isFolder ? ::rmdir(path.c_str()) : ::unlink(path.c_str())) != 0 && errno != ENOENT) {
        std::abort();
      }
    }
  }

  struct Made {
    std::string path;
    bool isFolder;
  };
  std::vector<Made> m_made;
};

}  // namespace ulp::test
