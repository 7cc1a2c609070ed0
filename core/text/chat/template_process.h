#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <utility>

#include "core/base/files/file_descriptor.h"
#include "core/base/result.h"
#include "core/text/chat/template_exchange.h"

/// How this process has chat templates run by another (core/text/chat/program): they are programs
/// of whoever made the model, and the library that runs them limits nothing.
namespace ulp::text {

inline constexpr const char* kTemplateProgram = "ulpscope-template";
/// Of the environment: names another program.
inline constexpr const char* kTemplateProgramVariable = "ULP_TEMPLATE_PROGRAM";
/// With which it ends where its memory did not suffice.
inline constexpr int kNoMemoryLeft = 12;

/// What a question may take, by the bytes of the template or the conversation. To parse the longest
/// template that is published takes ten milliseconds.
struct TemplateLimits {
  std::chrono::milliseconds processor;  ///< the program's own time
  std::chrono::milliseconds clock;      ///< in all; other programs count as well
  std::size_t memory;                   ///< bytes of address space

  [[nodiscard]] static constexpr TemplateLimits of(bool isParsed, std::size_t bytes) {
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
    // Fuzzers look at what happens where the limits are, not at how far away they are.
    constexpr int kShareOfTime = 40;
#else
    constexpr int kShareOfTime = 1;
#endif
    const std::chrono::milliseconds leastTime{(isParsed ? 2000 : 1000) / kShareOfTime};
    constexpr std::size_t kBytesAMillisecond = 1000;
    constexpr int kClocks = 10;
    constexpr std::size_t kLeastMemory = std::size_t{512} << 20U;
    constexpr std::size_t kMemoryOfAByte = 64;
    const auto time = leastTime + std::chrono::milliseconds(bytes / kBytesAMillisecond);
    return {time, kClocks * time, kLeastMemory + kMemoryOfAByte * bytes};
  }
};

/// A process that runs one template. It ends with this object, and after the first question that it
/// did not answer within its limits.
class TemplateProcess {
 public:
  /// Errors: Unsupported, with the remedy, where there is no such program beside this one or in
  /// ../bin; Io.
  [[nodiscard]] static Result<std::unique_ptr<TemplateProcess>> start();
  ~TemplateProcess();
  TemplateProcess(const TemplateProcess&) = delete;
  TemplateProcess& operator=(const TemplateProcess&) = delete;

  /// Asks and waits for the answer, without kDone. Errors: what the program reports; Unsupported
  /// (too long a text, too much time, a crash), OutOfMemory, Io.
  [[nodiscard]] Result<std::string> ask(const WordList& question);
  /// False: it is to be started again.
  [[nodiscard]] bool isRunning() const { return m_child > 0; }

 private:
  TemplateProcess(pid_t child, FileDescriptor socket)
      : m_child(child), m_socket(std::move(socket)) {}

  struct Deadline;
  [[nodiscard]] Result<> send(std::string_view bytes, const Deadline& deadline);
  [[nodiscard]] Result<> receive(char* to, std::size_t size, const Deadline& deadline);
  [[nodiscard]] Result<> waitFor(short event, const Deadline& deadline);
  /// Kills it where it lives, and says why it ended.
  [[nodiscard]] tl::unexpected<Error> endOf();
  std::optional<int> end();

  pid_t m_child;
  FileDescriptor m_socket;
};

}  // namespace ulp::text
