#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

#include "core/base/files/file_descriptor.h"
#include "core/base/result.h"
#include "core/json/value.h"

namespace ulp::engine {

/// Memory in which a Python process puts tensors and this one reads them. It takes no more of the
/// machine than was ever in use at once, but for pieces that are page-locked for GPUs.
class SharedMemory {
 public:
  SharedMemory(FileDescriptor file, std::span<std::byte> bytes)
      : m_file(std::move(file)), m_bytes(bytes) {}
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  /// Error: OutOfMemory, Io.
  [[nodiscard]] static Result<std::shared_ptr<SharedMemory>> create();

  [[nodiscard]] int file() const { return m_file.get(); }
  /// `size` bytes at a place that Python named. Error: Internal (they are not inside).
  [[nodiscard]] Result<std::span<std::byte>> at(std::uint64_t offset, std::uint64_t size) const;
  /// Notes that nobody reads a place any more. Called by any thread.
  void release(std::uint64_t offset);
  /// Hands out the places that were released since.
  [[nodiscard]] std::vector<std::uint64_t> takeReleased();

 private:
  FileDescriptor m_file;
  std::span<std::byte> m_bytes;
  std::mutex m_guard;
  std::vector<std::uint64_t> m_released;
};

/// A Python that runs ulpscope_engine/server.py. Used by one thread at a time.
class PythonProcess {
 public:
  /// Error: Io.
  [[nodiscard]] static Result<std::unique_ptr<PythonProcess>> start(
      const std::filesystem::path& program);
  ~PythonProcess();
  PythonProcess(const PythonProcess&) = delete;
  PythonProcess& operator=(const PythonProcess&) = delete;

  [[nodiscard]] const std::shared_ptr<SharedMemory>& memory() const { return m_memory; }
  /// Errors: as of receive().
  [[nodiscard]] Result<> send(const json::Object& message);
  /// Waits for the next message. What Python says that it failed at is an error of the code that it
  /// names. Other errors: Cancelled (the process is ended), OutOfMemory (the system ended it),
  /// Unsupported (it ended by itself, with the last that it said). After these it is not running.
  [[nodiscard]] Result<json::Value> receive(const std::stop_token& stop);
  /// Notes that a tensor of this size was looked at, and tells Python now and then.
  [[nodiscard]] Result<> noteSeen(std::uint64_t bytes);
  /// Tells Python what was looked at, and what it may write over.
  [[nodiscard]] Result<> reportSeen();
  [[nodiscard]] bool isRunning() const { return m_child > 0; }

 private:
  PythonProcess(std::filesystem::path program,
                pid_t child,
                FileDescriptor socket,
                FileDescriptor log,
                std::shared_ptr<SharedMemory> memory);

  /// Kills it and all that it started. Gives its status; nothing: it had ended.
  std::optional<int> end();
  /// The same once it had a second to end by itself: it may just have said why.
  std::optional<int> endByItself();
  [[nodiscard]] Error endedError();
  [[nodiscard]] std::string lastWords() const;

  std::filesystem::path m_program;
  pid_t m_child = -1;
  FileDescriptor m_socket;
  FileDescriptor m_log;  ///< what it writes to standard output and error
  std::shared_ptr<SharedMemory> m_memory;
  std::string m_received;  ///< begins of messages
  std::size_t m_seen = 0;  ///< tensors that Python does not know to have been looked at
  std::uint64_t m_seenBytes = 0;
};

/// A module of the package ulpscope_engine.
struct PythonModule {
  std::string_view name;  ///< "server"; "__init__": the package itself
  std::string_view text;
};
[[nodiscard]] std::span<const PythonModule> pythonModules();

}  // namespace ulp::engine
