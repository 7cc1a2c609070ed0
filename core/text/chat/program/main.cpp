#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

#include "core/base/processes/expendable.h"
#include "core/text/chat/program/jinja_program.h"
#include "core/text/chat/template_exchange.h"
#include "core/text/chat/template_process.h"

/// Started by TemplateProcess: answers questions on standard input, which is a socket, until its
/// other end is closed.
namespace ulp::text {
namespace {

/// Limits what one question may take. TemplateProcess watches the time more closely, while it is
/// there.
void setLimits(std::size_t questionBytes) {
  const TemplateLimits limits = TemplateLimits::of(true, questionBytes);
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(2 * limits.processor).count();
  const auto until =
      static_cast<std::uint64_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec + seconds + 1);
  // The next question may need more.
  setLimit(RLIMIT_CPU, until, RLIM_INFINITY);
  setLimit(RLIMIT_AS, limits.memory, RLIM_INFINITY);
}

/// False: the other end is closed.
bool receive(char* to, std::size_t size) {
  while (size > 0) {
    const ssize_t count = ::recv(STDIN_FILENO, to, size, 0);
    if (count == 0 || (count < 0 && errno != EINTR)) {
      return false;
    }
    const std::size_t read = count > 0 ? static_cast<std::size_t>(count) : 0;
    to += read;
    size -= read;
  }
  return true;
}

bool send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::send(STDIN_FILENO, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count < 0 && errno != EINTR) {
      return false;
    }
    bytes.remove_prefix(count > 0 ? static_cast<std::size_t>(count) : 0);
  }
  return true;
}

WordList answerOf(const Result<std::string>& result) {
  return result ? WordList{std::string(kDone), *result}
                : WordList{std::to_string(static_cast<int>(result.error().code())),
                           result.error().message()};
}

/// Answers one question after another.
class Answers {
 public:
  [[nodiscard]] WordList to(const WordList& question) {
    if (question.size() >= 2 && question[0] == kParse) {
      return answerOf(parse(question));
    }
    if (question.size() >= 2 && question[0] == kRender && m_program) {
      return answerOf(m_program->render(messagesIn(question), question[1] == kWithPrompt));
    }
    return answerOf(fail(ErrorCode::Internal, "an unknown question about a chat template"));
  }

 private:
  Result<std::string> parse(const WordList& question) {
    SpecialTokens specialTokens;
    for (std::size_t i = 2; i + 1 < question.size(); i += 2) {
      specialTokens.emplace_back(question[i], question[i + 1]);
    }
    m_program = ULP_TRY(JinjaProgram::parse(question[1], std::move(specialTokens)));
    return std::string();
  }

  static std::vector<ChatMessage> messagesIn(const WordList& question) {
    std::vector<ChatMessage> messages;
    for (std::size_t at = 2; at < question.size();) {
      const std::string& word = question[at++];
      std::size_t fields = 0;
      std::from_chars(word.data(), word.data() + word.size(), fields);
      ChatMessage& message = messages.emplace_back();
      for (; fields > 0 && at + 1 < question.size(); --fields, at += 2) {
        message.emplace_back(question[at], question[at + 1]);
      }
    }
    return messages;
  }

  std::optional<JinjaProgram> m_program;
};

int answerAll() {
  Answers answers;
  MessageSize size = 0;
  while (receive(reinterpret_cast<char*>(&size), sizeof size) && size <= kMostMessage) {
    setLimits(size);
    std::string message(size, '\0');
    if (!receive(message.data(), size)) {
      return 0;
    }
    const auto question = wordsOf(message);
    if (!question || !send(asMessage(answers.to(*question)))) {
      return 1;
    }
  }
  return 0;
}

}  // namespace
}  // namespace ulp::text

int main(int argc, char** /*argv*/) {
  if (argc != 1 || ::isatty(STDIN_FILENO) == 1) {
    std::fputs("ulpscope-template: runs chat templates for ulpscope-cli, which starts it\n",
               stderr);
    return 2;
  }
  ulp::becomeExpendable(STDERR_FILENO);
  std::set_new_handler([] { ::_exit(ulp::text::kNoMemoryLeft); });
  return ulp::text::answerAll();
}
