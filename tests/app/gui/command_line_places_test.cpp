#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <QtGui/QAction>
#include <QtWidgets/QDialog>
#include <QtWidgets/QPushButton>

#include "app/gui/session/window_settings.h"
#include "core/study/schema/schema.h"
#include "tests/app/cli/cli_process.h"
#include "tests/app/gui/window_fixture.h"

/// Everything that the command line can, the window can: each command and each option of
/// `ulpscope-cli --help` has a place in the window, or a reason why it has none.
namespace ulp::app {
namespace {

enum class At : std::uint8_t {
  Command,   ///< `name` is the id of a command of the window
  Field,     ///< `field` is an object of the dialog that the command `name` opens
  View,      ///< `name` is the id of a view
  Proof,     ///< `name` is an object of the dialog that *Options…* of a proof opens
  Setting,   ///< `name` is the key of a setting, which the window of settings has
  StudyKey,  ///< `name` is a key of studies, which the form of Study has
  Nowhere    ///< `name` says why it has no meaning in a window
};

/// Where the window has an option of a command; an empty option is the command itself.
struct OptionPlace {
  const char* command;
  const char* option;
  At kind;
  const char* name = "";
  const char* field = "";
};

constexpr const char* kShowsProgress = "the status bar shows how far it is, in nobody's way";
constexpr const char* kForPipelines =
    "what a pipeline asks of a change; tabs of two reports beside each other show it in a window";
constexpr const char* kChosenByHost = "a place on the host, which finds one by itself";
constexpr const char* kForClusters = "what the jobs of a cluster call";
constexpr const char* kTidiesHosts =
    "room on a host is made now and then; the window shows the studies that it started there";
constexpr const char* kForScripts = "a format for scripts; the window shows the same";

constexpr auto kPlaces = std::to_array<OptionPlace>({
    {"", "--help", At::Command, "help.guide"},
    {"", "--version", At::Command, "help.about"},

    {"run", "", At::Command, "run.start"},
    {"run", "STUDY", At::Command, "file.open"},
    {"run", "--output", At::StudyKey, "output_dir"},
    {"run", "--set", At::View, "study"},
    {"run", "--variant", At::View, "runs"},
    {"run", "--device", At::StudyKey, "device"},
    {"run", "--threads", At::StudyKey, "runtime.threads"},
    {"run", "--progress", At::View, "runs"},
    {"run", "--control", At::View, "runs"},
    {"run", "--resume", At::View, "runs"},
    {"run", "--keep-failed", At::Command, "runs.resume-rest"},
    {"run", "--overwrite", At::Command, "run.start"},
    {"run", "--on", At::Field, "run.start-on", "host"},
    {"run", "--install", At::Field, "run.start-on", "install"},
    {"run", "--install-from", At::Nowhere, "the window takes the archive that lies beside it"},
    {"run", "--host-output", At::Nowhere, kChosenByHost},
    {"run", "--host-program", At::Nowhere, kChosenByHost},
    {"run", "--send", At::Nowhere, "what a study names beside itself is sent by itself"},

    {"jobs", "", At::View, "runs"},
    {"jobs", "HOST", At::Nowhere, kTidiesHosts},
    {"jobs", "--remove", At::Nowhere, kTidiesHosts},
    {"jobs", "--remove-older", At::Nowhere, kTidiesHosts},
    {"jobs", "--host-program", At::Nowhere, kChosenByHost},
    {"jobs", "--format", At::Nowhere, kForScripts},

    {"submit", "", At::Command, "run.submit"},
    {"submit", "STUDY", At::Command, "file.open"},
    {"submit", "--output", At::Field, "run.submit", "output"},
    {"submit", "--set", At::Field, "run.submit", "set"},
    {"submit", "--variant", At::Field, "run.submit", "variant"},
    {"submit", "--device", At::Field, "run.submit", "device"},
    {"submit", "--threads", At::Field, "run.submit", "threads"},
    {"submit", "--samples-per-task", At::Field, "run.submit", "samples-per-task"},
    {"submit", "--share-reference", At::Field, "run.submit", "share-reference"},
    {"submit", "--sbatch", At::Field, "run.submit", "sbatch"},
    {"submit", "--dry-run", At::Field, "run.submit", "preview"},
    {"submit", "--local", At::Command, "run.start"},
    {"submit", "--wait", At::View, "runs"},
    {"submit", "--again", At::View, "runs"},
    {"submit", "--status", At::View, "runs"},
    {"submit", "--cancel", At::View, "runs"},
    {"submit", "--format", At::View, "runs"},
    {"task", "", At::Nowhere, kForClusters},
    {"task", "RUN", At::Nowhere, kForClusters},
    {"task", "NUMBER", At::Nowhere, kForClusters},
    {"task", "--progress", At::Nowhere, kForClusters},
    {"task", "--control", At::Nowhere, kForClusters},
    {"merge", "", At::View, "runs"},
    {"merge", "RUN", At::View, "runs"},

    {"record", "", At::Command, "file.record"},
    {"record", "COMMAND", At::Field, "file.record", "command"},
    {"record", "--out", At::Field, "file.record", "out"},
    {"record", "--config", At::Field, "file.record", "config"},
    {"record", "--level", At::Field, "file.record", "level"},
    {"record", "--task", At::Field, "file.record", "task"},
    {"record", "--modules", At::Field, "file.record", "modules"},
    {"record", "--list", At::Field, "file.record", "list"},
    {"record", "--scope", At::Field, "file.record", "scope"},
    {"record", "--ranks", At::Field, "file.record", "ranks"},
    {"record", "--steps", At::Field, "file.record", "steps"},
    {"record", "--data-mode", At::Field, "file.record", "data-mode"},
    {"record", "--tokens", At::Field, "file.record", "tokens"},
    {"record", "--steps-by", At::Field, "file.record", "steps-by"},
    {"record", "--stack", At::Field, "file.record", "stack"},
    {"record", "--weights", At::Field, "file.record", "weights"},
    {"record", "--progress", At::Field, "file.record", "progress"},

    {"report", "", At::Command, "file.export"},
    {"report", "RUN", At::Command, "file.open"},
    {"report", "--pass", At::Field, "file.export", "passes"},
    {"report", "--metric", At::Field, "file.export", "metrics"},
    {"report", "--variant", At::Field, "file.export", "variants"},
    {"report", "--format", At::Field, "file.export", "format"},
    {"report", "--summary", At::Field, "file.export", "summary"},
    {"report", "--output", At::Field, "file.export", "file"},
    {"report", "--rules", At::View, "rule_check"},

    {"check", "", At::View, "rule_check"},
    {"check", "RUN", At::Command, "file.open"},
    {"check", "--pass", At::Field, "file.export", "passes"},
    {"check", "--variant", At::Field, "file.export", "variants"},
    {"check", "--rules", At::View, "rule_check"},
    {"check", "--baseline", At::Nowhere, kForPipelines},
    {"check", "--format", At::Nowhere, kForPipelines},
    {"check", "--output", At::Nowhere, kForPipelines},

    {"compare", "", At::Command, "file.compare-dumps"},
    {"compare", "A", At::Field, "file.compare-dumps", "baseline"},
    {"compare", "B", At::Field, "file.compare-dumps", "candidates"},
    {"compare", "--step", At::Field, "file.compare-dumps", "step"},
    {"compare", "--rank", At::Field, "file.compare-dumps", "rank"},
    {"compare", "--token", At::Field, "file.compare-dumps", "token"},
    {"compare", "--map", At::Field, "file.compare-dumps", "mapping"},
    {"compare", "--fuzzy", At::Field, "file.compare-dumps", "fuzzy"},
    {"compare", "--rules", At::View, "rule_check"},
    {"compare", "--format", At::View, "table"},
    {"compare", "--output", At::View, "table"},
    {"compare", "--report", At::Command, "file.save-comparison"},
    {"compare", "--rows", At::View, "table"},
    {"compare", "--threads", At::Setting, "comparison/threads"},
    {"compare", "--recorded", At::Field, "file.compare-dumps", "elements"},
    {"compare", "--quiet", At::Nowhere, kShowsProgress},
    // Behind the path: FILE:TYPE[SHAPE]@OFFSET.
    {"compare", "--raw-dtype", At::Field, "file.compare-dumps", "path"},
    {"compare", "--raw-shape", At::Field, "file.compare-dumps", "path"},
    {"compare", "--raw-offset", At::Field, "file.compare-dumps", "path"},
    {"compare", "--as", At::Field, "file.compare-as", "tool"},
    {"compare", "--spreadsheet", At::Field, "file.compare-as", "spreadsheet"},
    {"compare", "--highlight", At::Field, "file.compare-as", "highlight"},
    {"compare", "--data-mapping", At::Field, "file.compare-as", "data-mapping"},
    {"compare", "--cell-mapping", At::Field, "file.compare-as", "cell-mapping"},
    {"compare", "--level", At::Field, "file.compare-as", "level"},

    {"diverge", "", At::View, "bit_by_bit"},
    {"diverge", "A", At::Command, "file.open"},
    {"diverge", "B", At::Command, "compare.add"},
    {"diverge", "--variant", At::View, "bit_by_bit"},
    {"diverge", "--format", At::View, "findings"},
    {"diverge", "--excess", At::View, "findings"},
    {"diverge", "--step", At::Field, "file.compare-dumps", "step"},
    {"diverge", "--rank", At::Field, "file.compare-dumps", "rank"},
    {"diverge", "--token", At::Field, "file.compare-dumps", "token"},
    {"diverge", "--map", At::Field, "file.compare-dumps", "mapping"},
    {"diverge", "--recorded", At::Field, "file.compare-dumps", "elements"},
    {"diverge", "--prove", At::View, "bit_by_bit"},
    {"diverge", "--output", At::Proof, "proofFolder"},
    {"diverge", "--overwrite", At::Proof, "proofReplaces"},
    {"diverge", "--set", At::Proof, "proofSets"},
    {"diverge", "--device", At::Proof, "proofDevice"},
    {"diverge", "--threads", At::Proof, "proofThreads"},
    {"diverge", "--progress", At::View, "runs"},

    {"logprobs", "", At::View, "log_probabilities"},
    {"logprobs", "A", At::Command, "file.open"},
    {"logprobs", "B", At::Command, "compare.add"},
    {"logprobs", "--baseline", At::Command, "compare.baseline"},
    {"logprobs", "--variant", At::View, "log_probabilities"},
    {"logprobs", "--epsilon", At::View, "log_probabilities"},
    {"logprobs", "--format", At::View, "log_probabilities"},
    {"logprobs", "--output", At::View, "log_probabilities"},

    {"export", "", At::Command, "file.export"},
    {"export", "RUN", At::Field, "file.export-tensors", "source"},
    {"export", "TARGET", At::Field, "file.export-tensors", "target"},
    {"export", "--pass", At::Field, "file.export", "passes"},
    {"export", "--metric", At::Field, "file.export", "metrics"},
    {"export", "--variant", At::Field, "file.export", "variants"},
    // Each view exports what it shows, with the command of its dock's title.
    {"export", "--what", At::View, "depth"},
    {"export", "--format", At::Field, "file.export", "format"},
    {"export", "--scale", At::Field, "file.export", "scale"},
    {"export", "--size", At::Nowhere, "a picture has the size in which the window shows it"},
    {"export", "--noise", At::View, "depth"},
    {"export", "--rules", At::Field, "file.export", "rules"},
    {"export", "--output", At::Field, "file.export", "file"},
    {"export", "--to", At::Field, "file.export-tensors", "format"},
    {"export", "--run", At::Field, "file.export-tensors", "run"},
    {"export", "--step", At::Field, "file.export-tensors", "step"},
    {"export", "--rank", At::Field, "file.export-tensors", "rank"},
    {"export", "--token", At::Field, "file.export-tensors", "token"},
    {"export", "--match", At::Field, "file.export-tensors", "match"},
    {"export", "--statistics-only", At::Field, "file.export-tensors", "statistics"},
    {"export", "--shard-size", At::Field, "file.export-tensors", "shards"},
    {"export", "--overwrite", At::Field, "file.export-tensors", "overwrite"},
    {"export", "--quiet", At::Nowhere, kShowsProgress},

    {"inspect", "", At::View, "tensor"},
    {"inspect", "PATH", At::Command, "file.open"},
    {"inspect", "TENSOR", At::Command, "go.tensor"},
    {"inspect", "--run", At::View, "tensor"},
    {"inspect", "--pass", At::View, "tensor"},
    {"inspect", "--slice", At::View, "tensor"},
    {"inspect", "--worst", At::View, "tensor"},
    {"inspect", "--histogram", At::View, "tensor"},
    {"inspect", "--format", At::Nowhere, kForScripts},
    {"inspect", "--unpack", At::Nowhere, kForScripts},

    {"tokenize", "", At::Command, "run.tokenize"},
    {"tokenize", "MODEL", At::Field, "run.tokenize", "model"},
    {"tokenize", "TEXT", At::Field, "run.tokenize", "text"},
    {"tokenize", "--file", At::Field, "run.tokenize", "file"},
    {"tokenize", "--format", At::Nowhere, kForScripts},

    {"models", "", At::Field, "run.devices", "engineText"},
    {"devices", "", At::Field, "run.devices", "engineText"},
    {"schema", "", At::View, "study"},
    {"schema", "--format", At::Command, "help.guide"},
    {"doctor", "", At::Field, "run.devices", "engineText"},
    {"doctor", "--json", At::Nowhere, kForScripts},
    {"completion", "", At::Nowhere, "completes what is typed into a shell"},
    {"completion", "SHELL", At::Nowhere, "completes what is typed into a shell"},
    {"manual", "", At::Command, "help.guide"},
});

using Option = std::pair<std::string, std::string>;  ///< command and option

/// "--output" of "  -o,--output TEXT   File to write", "STUDY" of "  STUDY TEXT REQUIRED".
std::string nameIn(const std::string& line) {
  const std::string names = line.substr(2, line.find(' ', 2) - 2);
  return names.substr(names.rfind(',') + 1);
}

/// What `COMMAND --help` lists in one of its sections: "Options:", "Positionals:", "Subcommands:".
std::vector<std::string> listed(const std::string& help, const std::string& section) {
  std::vector<std::string> names;
  std::istringstream lines(help);
  bool isInside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line == section) {
      isInside = true;
    } else if (line.empty()) {
      isInside = false;
    } else if (isInside && line.starts_with("  ") && line[2] != ' ') {
      names.push_back(nameIn(line));
    }
  }
  return names;
}

std::set<Option> optionsOfTheProgram() {
  const std::string help = test::runCli({"--help"}).out;
  std::set<Option> options;
  for (const std::string& name : listed(help, "Options:")) {
    options.emplace("", name);
  }
  for (const std::string& command : listed(help, "Subcommands:")) {
    options.emplace(command, "");
    const std::string own = test::runCli({command, "--help"}).out;
    for (const char* section : {"Positionals:", "Options:", "On another machine:"}) {
      for (const std::string& name : listed(own, section)) {
        if (name != "--help") {
          options.emplace(command, name);
        }
      }
    }
  }
  return options;
}

class CommandLinePlaces : public test::WindowFixture {
 protected:
  /// Whether a dialog that the command opens has an object of this name.
  bool hasField(const char* command, const char* field) {
    std::map<QString, std::set<QString>>& known = m_fields;
    const QString id = QLatin1String(command);
    if (!known.contains(id)) {
      trigger(command);
      settle();
      known[id] = takeFields();
    }
    return known[id].contains(QLatin1String(field));
  }
  /// Whether the dialog of a proof has one.
  bool isOfProof(const char* field) {
    std::set<QString>& known = m_fields[QStringLiteral("bit_by_bit")];
    if (known.empty()) {
      show("bit_by_bit");
      auto* button = host("bit_by_bit")->findChild<QPushButton*>(QStringLiteral("proofOptions"));
      EXPECT_TRUE(button->isVisible() && button->isEnabled()) << button->toolTip().toStdString();
      QTest::mouseClick(button, Qt::LeftButton);
      settle();
      known = takeFields();
    }
    return known.contains(QLatin1String(field));
  }
  /// The objects of the dialogs that are open, which are closed.
  [[nodiscard]] std::set<QString> takeFields() const {
    std::set<QString> names;
    for (QDialog* dialog : m_window->findChildren<QDialog*>()) {
      for (const QObject* one : dialog->findChildren<QObject*>()) {
        names.insert(one->objectName());
      }
      delete dialog;
    }
    return names;
  }
  [[nodiscard]] static bool isSetting(const char* key) {
    const views::SettingsCatalog catalog = declaredSettings();
    return std::ranges::count(catalog.all(), QLatin1String(key), &views::DeclaredSetting::key) == 1;
  }

  std::map<QString, std::set<QString>> m_fields;  ///< by command
};

TEST_F(CommandLinePlaces, EveryOptionHasAPlaceOrAReason) {
  std::set<Option> placed;
  for (const OptionPlace& place : kPlaces) {
    EXPECT_TRUE(placed.emplace(place.command, place.option).second)
        << place.command << ' ' << place.option << " has two places";
  }
  const std::set<Option> options = optionsOfTheProgram();
  EXPECT_GT(options.size(), 100U);
  EXPECT_EQ(placed, options);
}

TEST_F(CommandLinePlaces, EveryPlaceIsThere) {
  open({study()});
  // A report that says how its runs were made, so that they can be made again.
  report::Report made = test::realisticReport({.layers = 4});
  made.effectiveJson =
      R"({"bf16": {"precision.compute_dtype": {"value": "bfloat16", "origin": "variant"}}})";
  const QString run = reportFolder(QStringLiteral("run"));
  ASSERT_TRUE(report::saveReport(made, run.toStdString()).has_value());
  open({run});
  showEveryView();  // which makes their commands
  for (const OptionPlace& place : kPlaces) {
    SCOPED_TRACE(std::string(place.command) + " " + place.option);
    switch (place.kind) {
      case At::Command:
        EXPECT_NE(m_window->findChild<QAction*>(QLatin1String(place.name)), nullptr) << place.name;
        break;
      case At::Field:
        EXPECT_TRUE(hasField(place.name, place.field)) << place.name << ' ' << place.field;
        break;
      case At::View:
        EXPECT_NE(m_session->registry().find(QLatin1String(place.name)), nullptr) << place.name;
        break;
      case At::Proof:
        EXPECT_TRUE(isOfProof(place.name)) << place.name;
        break;
      case At::Setting:
        EXPECT_TRUE(isSetting(place.name)) << place.name;
        break;
      case At::StudyKey:
        EXPECT_NE(study::findKey(place.name), nullptr) << place.name;
        break;
      case At::Nowhere:
        EXPECT_STRNE(place.name, "");
        break;
    }
  }
}

}  // namespace
}  // namespace ulp::app
