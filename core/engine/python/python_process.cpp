#include "core/engine/python/python_process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include "core/base/processes/helper_process.h"
#include "core/base/processes/process_end.h"
#include "core/engine/find_python.h"
#include "core/json/dump.h"
#include "core/json/parse.h"

namespace ulp::engine {
namespace {

using json::Object;

/// Addresses cost nothing; memory is taken when it is written.
constexpr std::size_t kSharedBytes = std::size_t{1} << 40U;
constexpr std::size_t kLongestMessage = std::size_t{64} << 20U;
constexpr std::size_t kLastWords = 2000;
constexpr int kGlanceMs = 50;
// Descriptors in the process, as the script knows them.
constexpr int kSocketNumber = 3;
constexpr int kMemoryNumber = 4;
constexpr int kModulesNumber = 5;
/// Runs the server with the modules of ulpscope_engine that it is handed.
constexpr const char* kStart = R"(
import json, sys
with open(5, encoding="utf-8") as file:
    texts = json.load(file)
exec(texts["ulpscope_engine.modules"])
sys.meta_path.insert(0, Modules(texts))
from ulpscope_engine.server import main
main()
)";

Result<FileDescriptor> memoryFile(const char* name) {
  FileDescriptor file(::memfd_create(name, MFD_CLOEXEC));
  if (!file) {
    return fail(systemError(name, "cannot be made", errno));
  }
  return file;
}

/// An object of all modules and their texts.
Result<FileDescriptor> modulesFile() {
  constexpr const char* kName = "modules of ulpscope_engine";
  Object texts;
  for (const PythonModule& module : pythonModules()) {
    const bool isPackage = module.name == "__init__";
    texts[isPackage ? std::string("ulpscope_engine")
                    : fmt::format("ulpscope_engine.{}", module.name)] = module.text;
  }
  const std::string content = json::dump(texts);
  auto file = ULP_TRY(memoryFile(kName));
  if (const int error = writeAll(file.get(), std::as_bytes(std::span(content))); error != 0) {
    return fail(systemError(kName, "cannot be handed to Python", error));
  }
  if (::lseek(file.get(), 0, SEEK_SET) != 0) {
    return fail(systemError(kName, "cannot be handed to Python", errno));
  }
  return file;
}

}  // namespace

SharedMemory::~SharedMemory() {
  ::munmap(m_bytes.data(), m_bytes.size());
}

Result<std::shared_ptr<SharedMemory>> SharedMemory::create() {
  auto file = ULP_TRY(memoryFile("tensors of Python"));
  if (::ftruncate(file.get(), static_cast<off_t>(kSharedBytes)) != 0) {
    return fail(systemError("tensors of Python", "have no room", errno));
  }
  void* const address = ::mmap(
      nullptr, kSharedBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file.get(), 0);
  if (address == MAP_FAILED) {
    return fail(systemError("tensors of Python", "cannot be mapped", errno));
  }
  return std::make_shared<SharedMemory>(std::move(file),
                                        std::span(static_cast<std::byte*>(address), kSharedBytes));
}

Result<std::span<std::byte>> SharedMemory::at(std::uint64_t offset, std::uint64_t size) const {
  if (offset > m_bytes.size() || size > m_bytes.size() - offset) {
    return fail(ErrorCode::Internal, "Python named a place outside of the shared memory");
  }
  return m_bytes.subspan(offset, size);
}

void SharedMemory::release(std::uint64_t offset) {
  const std::scoped_lock lock(m_guard);
  m_released.push_back(offset);
}

std::vector<std::uint64_t> SharedMemory::takeReleased() {
  const std::scoped_lock lock(m_guard);
  return std::exchange(m_released, {});
}

PythonProcess::PythonProcess(std::filesystem::path program,
                             pid_t child,
                             FileDescriptor socket,
                             FileDescriptor log,
                             std::shared_ptr<SharedMemory> memory)
    : m_program(std::move(program)),
      m_child(child),
      m_socket(std::move(socket)),
      m_log(std::move(log)),
      m_memory(std::move(memory)) {}

PythonProcess::~PythonProcess() {
  end();
}

Result<std::unique_ptr<PythonProcess>> PythonProcess::start(const std::filesystem::path& program) {
  std::array<int, 2> ends{-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return fail(systemError(program, "cannot be started", errno));
  }
  FileDescriptor ours(ends[0]);
  const FileDescriptor theirs(ends[1]);
  auto memory = ULP_TRY(SharedMemory::create());
  auto log = ULP_TRY(memoryFile("output of Python"));
  const auto modules = ULP_TRY(modulesFile());
  const std::array given{HandedOn{log.get(), STDOUT_FILENO},
                         HandedOn{log.get(), STDERR_FILENO},
                         HandedOn{theirs.get(), kSocketNumber},
                         HandedOn{memory->file(), kMemoryNumber},
                         HandedOn{modules.get(), kModulesNumber}};
  // Some models call their modules in the order of a set, which is that of random hashes: rows
  // would change places from process to process, and between ranks.
  const char* seed = std::getenv("PYTHONHASHSEED");
  const auto child = ULP_TRY(startHelper(program,
                                         {"-u", "-c", std::string(kWithoutWorkingFolder) + kStart},
                                         given,
                                         {{"PYTHONHASHSEED", seed == nullptr ? "0" : seed}}));
  return std::unique_ptr<PythonProcess>(
      new PythonProcess(program, child, std::move(ours), std::move(log), std::move(memory)));
}

Result<> PythonProcess::send(const json::Object& message) {
  const std::string line = json::dump(message) + "\n";
  std::string_view rest = line;
  while (!rest.empty()) {
    const ssize_t sent = ::send(m_socket.get(), rest.data(), rest.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) {
      continue;
    }
    if (sent < 0) {
      return tl::unexpected<Error>(endedError());
    }
    rest.remove_prefix(static_cast<std::size_t>(sent));
  }
  return {};
}

Result<json::Value> PythonProcess::receive(const std::stop_token& stop) {
  std::size_t end = m_received.find('\n');
  while (end == std::string::npos) {
    if (stop.stop_requested()) {
      this->end();
      return fail(ErrorCode::Cancelled, "stopped");
    }
    pollfd socket{m_socket.get(), POLLIN, 0};
    if (::poll(&socket, 1, kGlanceMs) <= 0) {
      continue;
    }
    std::array<char, 1 << 16> part{};
    const ssize_t count = ::recv(m_socket.get(), part.data(), part.size(), 0);
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count <= 0 || m_received.size() > kLongestMessage) {
      return tl::unexpected<Error>(endedError());
    }
    const std::size_t before = m_received.size();
    m_received.append(part.data(), static_cast<std::size_t>(count));
    end = m_received.find('\n', before);
  }
  auto message = ULP_TRY(json::parse(std::string_view(m_received).substr(0, end)));
  m_received.erase(0, end + 1);
  if (message.contains("failed")) {
    const auto code = errorCodeNamed(message.at("code").text());
    return fail(code.value_or(ErrorCode::InvalidArgument), message.at("failed").text());
  }
  return message;
}

Result<> PythonProcess::noteSeen(std::uint64_t bytes) {
  constexpr std::size_t kUnreported = 16;
  constexpr std::uint64_t kUnreportedBytes = std::uint64_t{16} << 20U;
  m_seen += 1;
  m_seenBytes += bytes;
  return m_seen >= kUnreported || m_seenBytes >= kUnreportedBytes ? reportSeen() : Result<>();
}

Result<> PythonProcess::reportSeen() {
  m_seenBytes = 0;
  return send({{"seen", std::exchange(m_seen, 0)}, {"free", m_memory->takeReleased()}});
}

std::optional<int> PythonProcess::end() {
  m_socket = {};
  return isRunning() ? killHelper(std::exchange(m_child, -1)) : std::nullopt;
}

std::optional<int> PythonProcess::endByItself() {
  constexpr int kPatience = 20;
  for (int turn = 0; turn < kPatience && isRunning(); ++turn) {
    int status = 0;
    if (::waitpid(m_child, &status, WNOHANG) == m_child) {
      m_child = -1;
      return status;
    }
    ::poll(nullptr, 0, kGlanceMs);
  }
  return end();
}

Error PythonProcess::endedError() {
  const int status = endByItself().value_or(0);
  const std::string words = lastWords();
  const std::string said = words.empty() ? "" : fmt::format("; the last that it wrote:\n{}", words);
  return {wasKilled(status) ? ErrorCode::OutOfMemory : ErrorCode::Unsupported,
          fmt::format("{} {}{}",
                      m_program.string(),
                      endInWords(status, "close other programs, or take a smaller input"),
                      said)};
}

std::string PythonProcess::lastWords() const {
  struct stat file {};
  if (::fstat(m_log.get(), &file) != 0 || file.st_size == 0) {
    return {};
  }
  const auto size = std::min<std::size_t>(static_cast<std::size_t>(file.st_size), kLastWords);
  std::string words(size, '\0');
  const ssize_t count =
      ::pread(m_log.get(), words.data(), size, file.st_size - static_cast<off_t>(size));
  words.resize(count < 0 ? 0 : static_cast<std::size_t>(count));
  while (!words.empty() && words.back() == '\n') {
    words.pop_back();
  }
  return words;
}

}  // namespace ulp::engine
