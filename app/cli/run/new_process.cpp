#include "app/cli/run/new_process.h"

#include <cerrno>
#include <filesystem>
#include <linux/close_range.h>
#include <system_error>
#include <unistd.h>

namespace ulp::cli {

std::vector<std::string> choosingWords(const RunArguments& arguments) {
  const worker::RunOptions& options = arguments.options;
  std::vector<std::string> words;
  const auto add = [&words](const char* name, const std::string& value) {
    words.insert(words.end(), {name, value});
  };
  for (const std::string& set : arguments.sets) {
    add("--set", set);
  }
  for (const std::string& variant : options.variants) {
    add("--variant", variant);
  }
  if (!options.device.empty()) {
    add("--device", options.device);
  }
  if (options.threads > 0) {
    add("--threads", std::to_string(options.threads));
  }
  return words;
}

std::vector<std::string> wordsToGoOn(const RunArguments& arguments) {
  std::vector<std::string> words{std::string(kProgramName), "run", arguments.study.string()};
  if (!arguments.options.outputDir.empty()) {
    words.insert(words.end(), {"--output", arguments.options.outputDir.string()});
  }
  const std::vector<std::string> choosing = choosingWords(arguments);
  words.insert(words.end(), choosing.begin(), choosing.end());
  words.insert(words.end(), {"--progress", std::string(nameOf(arguments.progress))});
  if (arguments.hasControl) {
    words.emplace_back("--control");
  }
  words.insert(words.end(), {"--resume", "--keep-failed"});
  return words;
}

Result<std::filesystem::path> ownProgram() {
  std::error_code failed;
  auto program = std::filesystem::read_symlink("/proc/self/exe", failed);
  return failed ? fail(systemError("/proc/self/exe", "cannot be read", failed.value()))
                : Result<std::filesystem::path>(std::move(program));
}

Error goOnInNewProcess(const RunArguments& arguments) {
  constexpr const char* kOwnProgram = "/proc/self/exe";
  std::error_code unknown;
  const auto program = std::filesystem::read_symlink(kOwnProgram, unknown);
  std::vector<std::string> words = wordsToGoOn(arguments);
  std::vector<char*> pointers;
  for (std::string& word : words) {
    pointers.push_back(word.data());
  }
  pointers.push_back(nullptr);
  // The driver frees what the process holds of a device when the last descriptor of it is closed.
  ::close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
  ::execv(program.c_str(), pointers.data());
  return systemError(program, "the study cannot go on in a new process", errno);
}

}  // namespace ulp::cli
