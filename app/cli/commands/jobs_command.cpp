#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <memory>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/stop_signals.h"
#include "core/base/text/format_number.h"
#include "core/base/text/visible_text.h"
#include "core/json/dump.h"
#include "core/remote/ssh/session.h"

namespace ulp::cli {
namespace {

struct JobsFlags {
  std::string host;
  std::string program;
  std::vector<std::string> remove;
  int removeOlder = -1;  ///< days
  std::string format = "text";
};

std::string dayAndTime(std::int64_t seconds) {
  const auto time = static_cast<std::time_t>(seconds);
  std::tm parts{};
  std::array<char, 32> text{};
  if (seconds <= 0 || ::localtime_r(&time, &parts) == nullptr ||
      std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M", &parts) == 0) {
    return "unknown";
  }
  return text.data();
}

/// How it ended, or that it did not.
std::string phaseText(const json::Value& job) {
  const std::string& phase = job.at("phase").text();
  const std::int64_t code = job.at("exit_code").integer();
  return phase != "over" ? phase : code == 0 ? "done" : code < 0 ? "killed" : "failed";
}

bool isRunning(const json::Value& job) {
  return job.at("phase").text() == "running";
}

void printJobs(const JobsFlags& flags, const json::Array& jobs, const CommandContext& context) {
  if (jobs.empty()) {
    fmt::print(context.out, "{}: keeps no studies\n", flags.host);
  }
  for (const json::Value& job : jobs) {
    fmt::print(context.out,
               "{}  {}  {:<7}  {:>9}  {}  {}\n",
               visibleText(job.at("job").text()),
               dayAndTime(job.at("begun").integer()),
               phaseText(job),
               formatBytes(static_cast<std::uint64_t>(job.at("bytes").integer())),
               visibleText(job.at("study").text()),
               visibleText(job.at("output").text()));
  }
}

/// Those that are to go. Errors: InvalidArgument, there is none of a name, or it runs.
Result<std::vector<std::string>> chosen(const JobsFlags& flags, const json::Array& jobs) {
  std::vector<std::string> names;
  for (const std::string& name : flags.remove) {
    const auto found = std::ranges::find_if(
        jobs, [&](const json::Value& job) { return job.at("job").text() == name; });
    if (found == jobs.end()) {
      return fail(ErrorCode::InvalidArgument,
                  fmt::format("{}: has no study '{}'; ulpscope-cli jobs {} lists them",
                              flags.host,
                              visibleText(name),
                              flags.host));
    }
    if (isRunning(*found)) {
      return fail(ErrorCode::InvalidArgument,
                  fmt::format("{}: '{}' runs yet; cancel it first", flags.host, name));
    }
    names.push_back(name);
  }
  constexpr std::int64_t kDay = 24 * 60 * 60;
  const std::int64_t now = std::chrono::duration_cast<std::chrono::seconds>(
                               std::chrono::system_clock::now().time_since_epoch())
                               .count();
  for (const json::Value& job : jobs) {
    const bool isOld =
        flags.removeOlder >= 0 && now - job.at("begun").integer() >= flags.removeOlder * kDay;
    if (isOld && !isRunning(job) && std::ranges::find(names, job.at("job").text()) == names.end()) {
      names.push_back(job.at("job").text());
    }
  }
  return names;
}

Result<> run(const JobsFlags& flags, const CommandContext& context) {
  const auto signals = ULP_TRY(StopSignals::install());
  const ExpendableWork expendable(*signals);
  const remote::Host host = ULP_TRY(remote::parseHost(flags.host));
  remote::Session session(host, flags.program);
  const remote::Frame answer = ULP_TRY(session.ask({.head = json::Object{{"ask", "jobs"}}}));
  const json::Array& jobs = answer.head.at("jobs").items();
  if (flags.remove.empty() && flags.removeOlder < 0) {
    if (flags.format == "json") {
      fmt::print(context.out, "{}\n", json::dump(answer.head.at("jobs"), {.indent = 2}));
    } else {
      printJobs(flags, jobs, context);
    }
    return {};
  }
  for (const std::string& name : ULP_TRY(chosen(flags, jobs))) {
    ULP_TRY(session.ask({.head = json::Object{{"ask", "forget"}, {"job", name}}}));
    fmt::print(context.out, "removed {}\n", name);
  }
  return {};
}

void addJobsCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command =
      app.add_subcommand("jobs", "Studies that a host keeps (run --on), and their removal");
  const auto flags = std::make_shared<JobsFlags>();
  command->add_option("HOST", flags->host, "Machine, as ssh knows it")->required();
  command->add_option("--remove", flags->remove, "Remove a study with its results there; repeat")
      ->type_name("JOB")
      ->expected(1)
      ->take_all();
  command
      ->add_option("--remove-older",
                   flags->removeOlder,
                   "Remove all that are over and were begun so many days ago")
      ->type_name("DAYS")
      ->check(CLI::Range(0, 100000));
  command->add_option("--host-program", flags->program, "ulpscope-cli on the host")
      ->type_name("PATH");
  command->add_option("--format", flags->format, "text or json")
      ->type_name("FORMAT")
      ->check(CLI::IsMember({"text", "json"}));
  command->callback(
      [flags, &context] { context.exitCode = context.exitCodeOf(run(*flags, context)); });
}

}  // namespace

void registerJobs(CommandRegistry& registry) {
  registry.add({.order = 17, .add = addJobsCommand});
}

}  // namespace ulp::cli
