#pragma once

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <map>
#include <ranges>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
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

/// A folder for the files of one input after the other. What the last one had as well stays: to
/// make and remove files takes longer than to read them.
class RefilledFolder : public FuzzFolder {
 public:
  void refill(std::string_view input) {
    m_next = {};
    unpack(input, *this);
    removeOthers();
    for (const std::string& folder : m_next.folders) {
      check(m_there.folders.contains(folder) || ::mkdir(at(folder).c_str(), 0755) == 0);
    }
    for (const auto& [file, content] : m_next.files) {
      const auto before = m_there.files.find(file);
      check((before != m_there.files.end() && before->second == content) ||
            writeFile(at(file), content) == 0);
    }
    m_there = std::move(m_next);
  }
  /// For unpack(): as of FuzzFolder, but not before refill() has seen all.
  void write(const std::filesystem::path& name, std::string_view content) {
    const std::filesystem::path file = name.lexically_normal();
    if (!file.has_filename() || file == "." || m_next.folders.contains(file.native())) {
      return;
    }
    std::vector<std::string> above;
    for (std::filesystem::path folder = file.parent_path(); !folder.empty();
         folder = folder.parent_path()) {
      if (m_next.files.contains(folder.native())) {
        return;
      }
      above.push_back(folder.native());
    }
    m_next.folders.insert(above.begin(), above.end());
    m_next.files[file.native()] = content;
  }

 private:
  struct Content {
    std::set<std::string> folders;  ///< each before those in it
    std::map<std::string, std::string> files;
  };

  [[nodiscard]] std::string at(const std::string& name) const { return (path() / name).native(); }
  static void check(bool isDone) {
    if (!isDone) {
      std::abort();
    }
  }
  void removeOthers() const {
    for (const auto& [file, content] : m_there.files) {
      check(m_next.files.contains(file) || ::unlink(at(file).c_str()) == 0);
    }
    for (const std::string& folder : m_there.folders | std::views::reverse) {
      check(m_next.folders.contains(folder) || ::rmdir(at(folder).c_str()) == 0);
    }
  }

  Content m_there;
  Content m_next;
};

}  // namespace ulp::test
