// The tensor view with a tensor of 2.1 GB: time to the first picture, memory at that moment and at
// the end, time to the exact statistics, and how fast they stop. The tensor is written to the
// temporary folder by a process of its own, so that its memory does not count, and removed after.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include <QtCore/QTemporaryDir>
#include <QtWidgets/QApplication>
#include <QtWidgets/QPushButton>

#include "core/numerics/scalar_formats.h"
#include "core/report/model/report.h"
#include "core/tensors/hdf5/capture_writer.h"
#include "tests/support/machine/resident_memory.h"
#include "tests/views/lent_context.h"
#include "views/charts/raster/raster_widget.h"
#include "views/plugins/tensor/inspector/reading_bar.h"
#include "views/plugins/tensor/pictures/tensor_panes.h"
#include "views/plugins/tensor/tensor_view.h"

namespace {

using namespace ulp;
using Clock = std::chrono::steady_clock;

constexpr std::int64_t kRows = 4096;
constexpr std::int64_t kColumns = 128'256;
const char* const kVariant = "bf16";

double seconds(Clock::time_point since) {
  return std::chrono::duration<double>(Clock::now() - since).count();
}

double mebibytes(const std::string& key) {
  return static_cast<double>(test::processMemory(key)) / 1024 / 1024;
}

Site logits() {
  return {"logits", "lm_head", -1, Level::Layer, Pass::Forward};
}

/// Roughly normal values, cheaply.
float valueAt(std::uint64_t i) {
  std::uint64_t bits = (i + 1) * 0x9E3779B97F4A7C15ULL;
  bits ^= bits >> 29;
  bits *= 0xBF58476D1CE4E5B9ULL;
  float sum = 0;
  for (int part = 0; part < 4; ++part) {
    sum += static_cast<float>((bits >> (16 * part)) & 0xFFFF) / 65536.0F - 0.5F;
  }
  return sum * 3;
}

bool check(const Result<>& result) {
  if (!result) {
    std::fprintf(stderr, "tensor_view_bench: %s\n", result.error().message().c_str());
  }
  return result.has_value();
}

bool writeRun(tensors::CaptureWriter& writer, const char* run, const void* data, DType dtype) {
  return check(writer.beginRun(run)) &&
         check(writer.put(logits(), {data, dtype, {1, kRows, kColumns}}, 0)) &&
         check(writer.finishRun());
}

/// In a child process.
bool writeReport(const std::filesystem::path& folder) {
  constexpr auto kCount = static_cast<std::size_t>(kRows * kColumns);
  auto writer = tensors::CaptureWriter::create(folder);
  if (!writer) {
    return false;
  }
  {
    std::vector<float> reference(kCount);
    for (std::size_t i = 0; i < kCount; ++i) {
      reference[i] = valueAt(i);
    }
    if (!writeRun(**writer, "reference", reference.data(), DType::Float32)) {
      return false;
    }
  }
  std::vector<std::uint16_t> variant(kCount);
  for (std::size_t i = 0; i < kCount; ++i) {
    variant[i] = numerics::encodeBFloat16(static_cast<double>(valueAt(i)));
  }
  if (!writeRun(**writer, kVariant, variant.data(), DType::BFloat16)) {
    return false;
  }
  report::Report report;
  report.reference = "reference";
  report.metrics = {{"rms_rel"}};
  report::Comparison row;
  row.site = logits();
  row.shape = {1, kRows, kColumns};
  row.count = row.compared = kCount;
  row.metrics = {0.001};
  report.runs.resize(2);
  report.runs[0].name = "reference";
  report.runs[1].name = kVariant;
  report.runs[1].status = report.runs[0].status = report::RunStatus::Finished;
  report.runs[1].comparisons = {row};
  return check(report::saveReport(report, folder));
}

template <class Condition>
bool waitFor(Condition condition, double limit) {
  const auto start = Clock::now();
  while (!condition()) {
    QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
    if (seconds(start) > limit) {
      return false;
    }
  }
  return true;
}

void print(const char* what, Clock::time_point start) {
  std::printf("%-32s %7.2f s    peak %4.0f MiB\n", what, seconds(start), mebibytes("VmHWM"));
}

/// From the selection of the tensor to all that the view shows of it.
bool measureReading(views::TensorView& view,
                    const views::Workspace& workspace,
                    const views::Selection& wanted) {
  const auto start = Clock::now();
  view.setReport(workspace.reports.document());
  view.setSelection(wanted);
  views::TensorPanes& panes = *view.findChild<views::TensorPanes*>();
  const views::ReadingBar& reading = *view.findChild<views::ReadingBar*>();
  if (!waitFor([&] { return panes.raster(0).content().grid != nullptr; }, 60)) {
    return false;
  }
  view.grab();
  print("first picture", start);
  if (!waitFor([&] { return !panes.tiles().isBusy(); }, 300)) {
    return false;
  }
  print("exact picture", start);
  if (!waitFor([&] { return reading.statistics() != nullptr; }, 300)) {
    return false;
  }
  print("exact statistics", start);
  return true;
}

void measureStopping(views::TensorView& view,
                     const views::Workspace& workspace,
                     const views::Selection& wanted) {
  view.setReport(workspace.reports.document());
  view.setSelection(wanted);
  waitFor([&] { return view.isReading(); }, 30);
  waitFor([] { return false; }, 0.5);
  const auto stopped = Clock::now();
  view.findChild<views::ReadingBar*>()->findChild<QPushButton*>()->click();
  waitFor([&] { return !view.isReading(); }, 30);
  std::printf("stopped                          %7.3f s\n", seconds(stopped));
}

int measure(const QString& folder) {
  test::LentContext lent;
  views::Workspace& workspace = lent.workspace;
  workspace.open({folder});
  if (!waitFor([&] { return workspace.reports.document() != nullptr; }, 30)) {
    std::fprintf(stderr, "tensor_view_bench: the report was not opened\n");
    return 1;
  }
  views::TensorView view(lent.context());
  view.resize(1280, 720);
  view.show();
  QCoreApplication::processEvents();
  std::printf("before the tensor is selected    %7.0f MiB\n", mebibytes("VmRSS"));
  views::Selection wanted = lent.selection.selection();
  wanted.runs = {QString::fromLatin1(kVariant)};
  wanted.site = QStringLiteral("logits");
  if (!measureReading(view, workspace, wanted)) {
    return 1;
  }
  measureStopping(view, workspace, wanted);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
  }
  QTemporaryDir folder;
  const pid_t child = ::fork();
  if (child == 0) {
    ::_exit(writeReport(folder.path().toStdString()) ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  if (status != 0) {
    std::fprintf(stderr,
                 "tensor_view_bench: cannot write 3.2 GB to %s\n",
                 folder.path().toLocal8Bit().constData());
    return 1;
  }
  const QApplication application(argc, argv);
  return measure(folder.path());
}
