#include "app/cli/command.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/engine/engine.h"
#include "tests/app/cli/cli_process.h"
#include "tests/support/data/fake_engine.h"

namespace ulp::cli {
namespace {

using test::runCli;
using testing::HasSubstr;

TEST(CommandLine, PrintsItsVersion) {
  const auto outcome = runCli({"--version"});
  EXPECT_EQ(outcome.exitCode, 0);
  EXPECT_THAT(outcome.out, testing::MatchesRegex("ulpscope-cli [0-9]+\\.[0-9]+\\.[0-9]+\n"));
  EXPECT_EQ(outcome.err, "");
}

TEST(CommandLine, HelpsOnItselfAndOnEveryCommand) {
  const auto help = runCli({"--help"});
  EXPECT_EQ(help.exitCode, 0);
  for (const char* command : {"run", "report", "inspect", "models", "devices", "schema"}) {
    EXPECT_THAT(help.out, HasSubstr(std::string("  ") + command));
    const auto own = runCli({command, "--help"});
    EXPECT_EQ(own.exitCode, 0) << command;
    EXPECT_THAT(own.out, HasSubstr("--help")) << command;
    EXPECT_EQ(own.err, "") << command;
  }
  EXPECT_THAT(help.out, HasSubstr("Exit codes: 0 done"));
}

TEST(CommandLine, NamesTheNearestOfAWordThatIsNoCommand) {
  const auto outcome = runCli({"runn", "study.yaml"});
  EXPECT_EQ(outcome.exitCode, 2);
  EXPECT_EQ(outcome.err,
            "ulpscope-cli: 'runn' is no command; the nearest is 'run'; `ulpscope-cli --help` lists "
            "all\n");
}

TEST(CommandLine, NamesTheOptionThatACommandDoesNotHave) {
  EXPECT_EQ(runCli({"record", "-o", "rec", "--", "python", "rec.py"}).err,
            "ulpscope-cli: -o: 'record' has no such option; the nearest is --out; `ulpscope-cli "
            "--help` lists the usage\n");
  EXPECT_EQ(runCli({"report", "a", "--formt=html"}).err,
            "ulpscope-cli: --formt: 'report' has no such option; the nearest is --format; "
            "`ulpscope-cli --help` lists the usage\n");
  EXPECT_EQ(runCli({"report", "a", "--unheard-of"}).err,
            "ulpscope-cli: --unheard-of: 'report' has no such option; `ulpscope-cli --help` lists "
            "the usage\n");
  EXPECT_EQ(runCli({"schema", "first", "second"}).err,
            "ulpscope-cli: not expected: first second; `ulpscope-cli --help` lists the usage\n");
}

/// Names of the subcommands, as `--help` lists them.
std::vector<std::string> subcommands() {
  std::istringstream help(runCli({"--help"}).out);
  std::vector<std::string> names;
  std::string line;
  while (std::getline(help, line) && line != "Subcommands:") {
  }
  while (std::getline(help, line) && line.starts_with("  ")) {
    names.push_back(line.substr(2, line.find(' ', 2) - 2));
  }
  return names;
}

/// What docs/cli.md says of a subcommand, from one heading to the next; empty: nothing.
std::string manualOf(const std::string& command) {
  const std::string page =
      test::contentOf(std::filesystem::path(ULP_SOURCE_DIR) / "docs" / "cli.md");
  const std::string heading = "\n## " + command + "\n";
  const std::size_t begin = page.find(heading);
  if (begin == std::string::npos) {
    return {};
  }
  return page.substr(begin, page.find("\n## ", begin + heading.size()) - begin);
}

TEST(CommandLine, TheManualHasEveryCommand) {
  const auto commands = subcommands();
  EXPECT_THAT(commands, testing::IsSupersetOf({"run", "compare", "schema"}));
  for (const std::string& command : commands) {
    EXPECT_THAT(manualOf(command), HasSubstr("```\nulpscope-cli " + command)) << command;
  }
}

TEST(CommandLine, TheManualHasEveryOptionOfRunAndSchema) {
  for (const char* command : {"run", "schema"}) {
    std::istringstream help(runCli({command, "--help"}).out);
    const std::string manual = manualOf(command);
    int options = 0;
    for (std::string line; std::getline(help, line);) {
      const std::size_t option = line.find("--");
      const bool isOfAll = line.find("--help") != std::string::npos;
      if (line.starts_with("  -") && option != std::string::npos && !isOfAll) {
        const std::size_t end = line.find_first_of(" ,", option);
        EXPECT_THAT(manual, testing::ContainsRegex(line.substr(option, end - option) + "[^a-z-]"))
            << command;
        ++options;
      }
    }
    EXPECT_GE(options, 1) << command;
  }
}

TEST(CommandLine, PrintsItsHelpAsAMessageWhenNothingIsAsked) {
  const auto outcome = runCli({});
  EXPECT_EQ(outcome.exitCode, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, HasSubstr("report"));
}

/// It was said once for each error.
TEST(CommandLine, SaysOnceThatItsFolderIsGone) {
  const auto before = std::filesystem::current_path();
  std::ostringstream out;
  std::ostringstream err;
  CommandContext context{.out = out, .err = err, .openEngine = {}};
  {
    const test::TempDir folder;
    std::filesystem::current_path(folder.path());
  }
  const ExitCode ofErrors = context.reportErrors(
      {Error(ErrorCode::NotFound, "a: is missing"), Error(ErrorCode::NotFound, "b: is missing")});
  const std::array<const char*, 3> words{"ulpscope-cli", "report", "/nowhere"};
  const ExitCode ofCommand = runCommandLine(3, words.data(), context);
  std::filesystem::current_path(before);
  EXPECT_EQ(ofErrors, ExitCode::BadInput);
  EXPECT_EQ(ofCommand, ExitCode::BadInput);
  EXPECT_THAT(err.str(),
              testing::MatchesRegex("ulpscope-cli: a: is missing\nulpscope-cli: b: is missing\n"
                                    "ulpscope-cli: /nowhere: [^\n]*\n"
                                    "ulpscope-cli: the folder that this was started in does not "
                                    "exist any more: [^\n]*\n"));
}

TEST(CommandLine, RefusesWrongUseInOneLine) {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"nonsense"},
                                                    {"report"},
                                                    {"report", "x", "--nonsense"},
                                                    {"schema", "--format", "xml"}}) {
    const auto outcome = runCli(arguments);
    EXPECT_EQ(outcome.exitCode, 2) << arguments[0];
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, testing::StartsWith("ulpscope-cli: "));
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  }
}

TEST(CommandLine, FailsWhenTheResultCannotBeWritten) {
  const test::TempDir dir;
  const std::string command =
      std::string(ULP_CLI) + " schema >/dev/full 2>" + (dir / "err").string();
  const int status = std::system(command.c_str());  // NOLINT(concurrency-mt-unsafe)
  EXPECT_EQ(WEXITSTATUS(status), 3);
  EXPECT_THAT(test::contentOf(dir / "err"), HasSubstr("standard output: cannot write"));
}

TEST(CommandLine, DoesNotLinkTheEngine) {
  const test::TempDir dir;
  const std::string command = "ldd " ULP_CLI " >" + (dir / "libraries").string();
  ASSERT_EQ(std::system(command.c_str()), 0);  // NOLINT(concurrency-mt-unsafe)
  EXPECT_THAT(test::contentOf(dir / "libraries"), testing::Not(HasSubstr("torch")));
}

/// Files that HDF5 may crash on are read by ulpscope-hdf5 alone.
TEST(CommandLine, WritesWithHdf5AndDoesNotReadWithIt) {
  const test::TempDir dir;
  const std::string command = "nm -D --undefined-only " ULP_CLI " >" + (dir / "symbols").string();
  ASSERT_EQ(std::system(command.c_str()), 0);  // NOLINT(concurrency-mt-unsafe)
  const std::string symbols = test::contentOf(dir / "symbols");
  EXPECT_THAT(symbols, HasSubstr(" H5Fcreate"));
  for (const char* reading : {"H5Fopen", "H5Gopen", "H5Dopen", "H5Aopen", "H5Oopen", "H5Dread"}) {
    EXPECT_THAT(symbols, testing::Not(HasSubstr(std::string(" ") + reading)));
  }
}

TEST(CommandLine, MapsEveryErrorToAnExitCode) {
  EXPECT_EQ(exitCodeFor(ErrorCode::InvalidArgument), ExitCode::BadInput);
  EXPECT_EQ(exitCodeFor(ErrorCode::NotFound), ExitCode::BadInput);
  EXPECT_EQ(exitCodeFor(ErrorCode::CorruptData), ExitCode::BadInput);
  EXPECT_EQ(exitCodeFor(ErrorCode::Unsupported), ExitCode::BadInput);
  EXPECT_EQ(exitCodeFor(ErrorCode::Io), ExitCode::RunFailed);
  EXPECT_EQ(exitCodeFor(ErrorCode::OutOfMemory), ExitCode::RunFailed);
  EXPECT_EQ(exitCodeFor(ErrorCode::Device), ExitCode::RunFailed);
  EXPECT_EQ(exitCodeFor(ErrorCode::Internal), ExitCode::RunFailed);
  EXPECT_EQ(exitCodeFor(ErrorCode::Cancelled), ExitCode::Cancelled);
}

/// Runs commands in this process, with streams and an engine of the test's own.
class InProcess : public testing::Test {
 protected:
  ExitCode run(std::vector<const char*> arguments) {
    arguments.insert(arguments.begin(), "ulpscope-cli");
    return runCommandLine(static_cast<int>(arguments.size()), arguments.data(), m_context);
  }

  std::ostringstream m_out;
  std::ostringstream m_err;
  CommandContext m_context{
      .out = m_out, .err = m_err, .openEngine = []() -> Result<std::shared_ptr<engine::Engine>> {
        return fail(ErrorCode::Unsupported, "no engine; install one");
      }};
};

TEST_F(InProcess, ReportsEveryLineOfAnErrorWithTheProgramsName) {
  EXPECT_EQ(m_context.reportError(Error(ErrorCode::NotFound, "a\nb")), ExitCode::BadInput);
  EXPECT_EQ(m_err.str(), "ulpscope-cli: a\nulpscope-cli: b\n");
}

TEST_F(InProcess, ColoursMessagesOnlyWhereItMay) {
  m_context.errHasColour = true;
  static_cast<void>(m_context.reportError(Error(ErrorCode::NotFound, "a")));
  EXPECT_THAT(m_err.str(), HasSubstr("\033["));
}

TEST_F(InProcess, ModelsNamesFamiliesAndTheirArchitectures) {
  m_context.openEngine = [] { return std::make_shared<test::FakeEngine>(); };
  EXPECT_EQ(run({"models"}), ExitCode::Done);
  EXPECT_EQ(m_err.str(), "");
  EXPECT_THAT(m_out.str(),
              testing::ContainsRegex("(^|\n)family +architectures \\(config.json\\) "
                                     "+architectures \\(GGUF\\)\n"
                                     "llama +LlamaForCausalLM +llama\n"));
}

TEST_F(InProcess, DevicesTellsMemoryAndWhyOneCannotBeUsed) {
  test::FakeEngineConfig config;
  config.devices = {{"cpu", "Fake CPU", std::uint64_t{3} << 30U, ""},
                    {"cuda:0", "Fake GPU", 0, "the CUDA driver is too old", {{"driver", "450.1"}}}};
  m_context.openEngine = [config] { return std::make_shared<test::FakeEngine>(config); };
  EXPECT_EQ(run({"devices"}), ExitCode::Done);
  EXPECT_EQ(m_err.str(), "");
  EXPECT_THAT(m_out.str(), testing::StartsWith("LibTorch 2.11.0-fake\ndevice "));
  EXPECT_THAT(m_out.str(), testing::ContainsRegex("\ncpu +Fake CPU +3.0 GiB"));
  EXPECT_THAT(m_out.str(),
              testing::ContainsRegex(
                  "\ncuda:0 +Fake GPU +– +the CUDA driver is too old\n +driver 450.1\n$"));
}

TEST_F(InProcess, DevicesSaysThatThisBuildHasNoCudaKernels) {
  test::FakeEngineConfig config;
  config.cudaKernelsProblem = "CUDA plug-in: built without a CUDA compiler; `make setup-cuda`";
  m_context.openEngine = [config] { return std::make_shared<test::FakeEngine>(config); };
  EXPECT_EQ(run({"devices"}), ExitCode::Done);
  EXPECT_THAT(m_out.str(), testing::EndsWith("\n" + config.cudaKernelsProblem + "\n"));
}

TEST_F(InProcess, WhatACommandThrowsIsItsError) {
  m_context.openEngine = []() -> Result<std::shared_ptr<engine::Engine>> {
    throw std::out_of_range("no device 7");
  };
  EXPECT_EQ(run({"devices"}), ExitCode::RunFailed);
  EXPECT_EQ(m_err.str(), "ulpscope-cli: devices: no device 7\n");
}

TEST_F(InProcess, SaysThatThereIsNoEngine) {
  EXPECT_EQ(run({"models"}), ExitCode::BadInput);
  EXPECT_EQ(run({"devices"}), ExitCode::BadInput);
  EXPECT_EQ(m_err.str(),
            "ulpscope-cli: no engine; install one\nulpscope-cli: no engine; install one\n");
}

}  // namespace
}  // namespace ulp::cli
