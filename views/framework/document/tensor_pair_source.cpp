#include "views/framework/document/tensor_pair_source.h"

#include <algorithm>
#include <array>
#include <utility>

#include <QtCore/QCoreApplication>

#include "core/base/shape.h"
#include "core/comparing/verdict/compared_dumps.h"
#include "core/report/model/effective_config.h"
#include "views/framework/document/one_dump.h"
#include "views/framework/threads/background.h"
#include "views/framework/widgets/message.h"
#include "views/framework/words/site_text.h"

namespace ulp::views {
namespace {

using Kind = TensorPairProblem::Kind;

struct Wanted {
  PairedRuns runs;
  Site site;
};

struct TensorPairSourceWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::TensorPairSource)
};

/// The report that a run is compared in says that it kept its tensors.
bool wereKept(const ReportDocument& document, const QString& run, const QString& beside) {
  const auto origin = document.captureOrigin(run, {}, beside);
  const std::vector<analysis::ReportSource>& sources = document.basis().open->sources;
  const auto own = std::ranges::find_if(sources, [&origin](const analysis::ReportSource& source) {
    return origin && source.loaded.folder == origin->folder;
  });
  if (own == sources.end()) {
    return false;
  }
  const auto configuration = report::effectiveConfig(*own->loaded.report);
  return configuration && std::ranges::any_of(*configuration, [](const auto& each) {
           const auto kept = each.second.find("capture.tensors");
           return kept != each.second.end() && kept->second.value != "none";
         });
}

TensorPairProblem openProblem(const Error& error,
                              const KeptTensors& tensors,
                              const QString& run,
                              const Wanted& wanted) {
  if (error.code() == ErrorCode::NotFound &&
      wereKept(*tensors.document(), run, wanted.runs.variant)) {
    return {Kind::Unreadable,
            TensorPairSourceWords::tr("The tensors of this report are gone"),
            TensorPairSourceWords::tr(
                "%1\nThe study kept them. Put tensors.h5 and the folder tensors back beside "
                "the report, or run the study again.")
                .arg(errorText(error).section(QStringLiteral(": "), 0, 0))};
  }
  if (error.code() == ErrorCode::NotFound) {
    return {Kind::NoTensors,
            TensorPairSourceWords::tr("This report kept no tensors"),
            TensorPairSourceWords::tr(
                "The tensors themselves are shown here when a study keeps them: set "
                "“capture.tensors: full” in the study and run it again.")};
  }
  return {
      Kind::Unreadable,
      TensorPairSourceWords::tr("The file of captured tensors cannot be read"),
      TensorPairSourceWords::tr("%1\nRun the study again to write it anew.").arg(errorText(error))};
}

/// Why a run has no such tensor.
TensorPairProblem absence(KeptTensors& tensors, const QString& run, const Wanted& wanted) {
  const auto reader = tensors.readerOf(run, wanted.runs.variant);
  if (!reader) {
    return openProblem(reader.error(), tensors, run, wanted);
  }
  const std::string own = tensors.ownRunName(run, wanted.runs.variant);
  const bool hasRun = std::ranges::any_of(
      (*reader)->captures(), [&own](const tensors::StoredCapture& c) { return c.run == own; });
  if (hasRun) {
    return {Kind::NotCaptured,
            TensorPairSourceWords::tr("%1 (%2) was not kept for “%3”")
                .arg(QString::fromStdString(wanted.site.name), passText(wanted.site.pass), run),
            TensorPairSourceWords::tr(
                "The study keeps other tensors: see capture.level, capture.include and "
                "capture.exclude in it.")};
  }
  QStringList reasons;
  for (const Error& problem : (*reader)->problems()) {
    reasons << errorText(problem);
  }
  if (reasons.isEmpty()) {
    return {Kind::NotCaptured,
            TensorPairSourceWords::tr("“%1” has no tensors yet").arg(run),
            TensorPairSourceWords::tr("They can be shown once the run has finished.")};
  }
  return {Kind::Unreadable,
          TensorPairSourceWords::tr("The tensors of “%1” cannot be read").arg(run),
          reasons.join(QLatin1Char('\n'))};
}

TensorPairProblem unreadable(const Error& error) {
  return {
      Kind::Unreadable, TensorPairSourceWords::tr("The tensor cannot be read"), errorText(error)};
}

/// The pair, unless there is nothing in it to look at.
TensorPairAnswer answerOf(const analysis::TensorPairPtr& pair) {
  if (pair->count() > 0) {
    return {pair};
  }
  return {nullptr,
          {Kind::NotComparable,
           TensorPairSourceWords::tr("The tensor has no elements"),
           TensorPairSourceWords::tr("Its shape is %1.").arg(shapeText(pair->shape()))}};
}

/// The pair, or the reason why there is none.
TensorPairAnswer findPair(KeptTensors& tensors, const Wanted& wanted) {
  std::array<KeptTensor, 2> kept;
  std::array<tensors::Tensor, 2> read;
  const std::array<QString, 2> runs{wanted.runs.reference, wanted.runs.variant};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto found = tensors.find(runs[i], wanted.site, wanted.runs.variant);
    if (!found) {
      return {nullptr, openProblem(found.error(), tensors, runs[i], wanted)};
    }
    if (!*found) {
      return {nullptr, absence(tensors, runs[i], wanted)};
    }
    kept[i] = **found;
    auto tensor = kept[i].reader->look(*kept[i].capture);
    if (!tensor) {
      return {nullptr, unreadable(tensor.error())};
    }
    read[i] = std::move(*tensor);
  }
  const tensors::StoredCapture& stored = *kept[0].capture;
  const tensors::StoredCapture& other = *kept[1].capture;
  if (stored.sampleStride != other.sampleStride || stored.shape != other.shape) {
    return {nullptr,
            {Kind::NotComparable,
             TensorPairSourceWords::tr("The two tensors differ in shape"),
             TensorPairSourceWords::tr("%1 has %2, %3 has %4, so that elements cannot be paired.")
                 .arg(runs[0], shapeText(stored.shape), runs[1], shapeText(other.shape))}};
  }
  auto pair = analysis::makeTensorPair(
      wanted.site, std::move(read[0]), std::move(read[1]), stored.sampleStride, stored.shape);
  if (!pair) {
    return {nullptr,
            {Kind::NotComparable,
             TensorPairSourceWords::tr("The two tensors cannot be compared"),
             errorText(pair.error())}};
  }
  return answerOf(*pair);
}

struct DumpTensorPairWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::DumpTensorPair)
};

QString pathText(const std::filesystem::path& path) {
  return QString::fromStdString(path.string());
}

TensorPairProblem notFound(const Site& shown, const report::DumpOrigin& origin) {
  if (report::isOneDump(origin)) {
    return {Kind::NotCaptured,
            DumpTensorPairWords::tr("The dump does not hold %1 any more")
                .arg(QString::fromStdString(shown.name)),
            DumpTensorPairWords::tr("It was read from %1, which was changed since. Reload it (F5).")
                .arg(pathText(origin.baseline.path))};
  }
  return {Kind::NotCaptured,
          DumpTensorPairWords::tr("The dumps do not hold %1 any more")
              .arg(QString::fromStdString(shown.name)),
          DumpTensorPairWords::tr(
              "It was compared from %1 and %2, which were changed since. Compare them anew.")
              .arg(pathText(origin.baseline.path), pathText(origin.candidate.path))};
}

/// What stands in place of the elements is shown elsewhere.
TensorPairProblem noElements(const analysis::ComparedTensor& tensor, const Site& shown) {
  const QString name = QString::fromStdString(shown.name);
  const bool hasBaseline = tensor.baseline().hasElements;
  const bool hasCandidate = tensor.candidate().hasElements;
  const QString hint = DumpTensorPairWords::tr(
      "What was recorded of it stands in Details. To see elements, record tensors "
      "(msprobe: task “tensor”).");
  if (!hasBaseline && !hasCandidate) {
    return {Kind::NoTensors,
            DumpTensorPairWords::tr("Of %1 only statistics or checksums were recorded").arg(name),
            hint};
  }
  return {Kind::NoTensors,
          (hasBaseline ? DumpTensorPairWords::tr("The candidate holds no elements of %1")
                       : DumpTensorPairWords::tr("The baseline holds no elements of %1"))
              .arg(name),
          hint};
}

TensorPairProblem unreadable(const Error& error, const analysis::ComparedTensor& tensor) {
  const bool isOtherShape = squeezed(tensor.baseline().shape) != squeezed(tensor.candidate().shape);
  if (error.code() == ErrorCode::InvalidArgument && isOtherShape) {
    return {Kind::NotComparable,
            DumpTensorPairWords::tr("The two tensors differ in shape"),
            DumpTensorPairWords::tr(
                "The baseline has %1, the candidate %2, so that elements cannot be paired.")
                .arg(shapeText(tensor.baseline().shape), shapeText(tensor.candidate().shape))};
  }
  return unreadable(error);
}

}  // namespace

TensorPairSource::TensorPairSource(Background& background, QObject* parent)
    : QObject(parent), m_background(background), m_tag(workTagOf(this, "tensor-pair")) {
  constexpr int kWatchMs = 250;
  m_watch.setInterval(kWatchMs);
  connect(&m_watch, &QTimer::timeout, this, &TensorPairSource::checkGiven);
}

void TensorPairSource::setReport(const DocumentPtr& document) {
  m_document = document;
  m_tensors = document ? std::make_shared<KeptTensors>(document) : nullptr;
  m_background.cancel(m_tag);
  m_given = nullptr;
  m_watch.stop();
}

void TensorPairSource::request(const Selection& selection) {
  m_given = nullptr;
  m_watch.stop();
  const bool hasOther = m_document && (m_document->referenceRun() != nullptr ||
                                       unitOfOneDump(*m_document, selection.run()).has_value());
  if (!hasOther || selection.site.isEmpty() || m_document->findVariant(selection.run()) < 0) {
    m_background.cancel(m_tag);
    Q_EMIT pairMissing({Kind::NoSelection,
                        tr("No tensor is selected"),
                        tr("Click a cell of the overview, a point of a chart, or a row of the "
                           "table.")});
    return;
  }
  const int site = m_document->findSite(selection.site.toStdString(), selection.pass);
  if (site < 0) {
    Q_EMIT pairMissing({Kind::NotCaptured,
                        tr("The report has no such tensor"),
                        tr("Choose another one in the overview, a chart or the table.")});
    return;
  }
  const Wanted wanted{{m_document->baselineOf(selection.run()), selection.run()},
                      m_document->sites()[static_cast<std::size_t>(site)]};
  m_background.run<TensorPairAnswer>(
      m_tag,
      this,
      [wanted, tensors = m_tensors](const std::stop_token& stop) {
        return readTensorPair(*tensors, wanted.runs, wanted.site, stop);
      },
      [this](const TensorPairAnswer& answer) { receive(answer); });
}

void TensorPairSource::receive(const TensorPairAnswer& answer) {
  if (answer.pair != nullptr) {
    m_given = answer.pair;
    m_watch.start();
    Q_EMIT pairReady(answer.pair);
  } else {
    Q_EMIT pairMissing(answer.problem);
  }
}

void TensorPairSource::checkGiven() {
  const Result<> intact = m_given ? analysis::checkIntact(*m_given) : Result<>();
  if (!intact) {
    m_given = nullptr;
    Q_EMIT pairMissing(unreadable(intact.error()));
  }
  if (m_given == nullptr) {
    m_watch.stop();
  }
}

TensorPairAnswer readTensorPair(KeptTensors& tensors,
                                const PairedRuns& runs,
                                const Site& site,
                                const std::stop_token& stop) {
  const auto place = tensors.document()->captureOrigin(runs.variant, site.name);
  return place && place->dumps ? readDumpPair(*place, site, stop) : findPair(tensors, {runs, site});
}

TensorPairProblem dumpsProblem(const Error& error, const report::DumpOrigin& origin) {
  if (report::isOneDump(origin)) {
    return {Kind::Unreadable,
            error.code() == ErrorCode::NotFound
                ? DumpTensorPairWords::tr("The dump is not where it was")
                : DumpTensorPairWords::tr("The dump cannot be read"),
            DumpTensorPairWords::tr("%1\nIt was read from %2. Put it back there, or open it where "
                                    "it is now.")
                .arg(errorText(error), pathText(origin.baseline.path))};
  }
  const QString where = DumpTensorPairWords::tr("The comparison was made from %1 and %2.")
                            .arg(pathText(origin.baseline.path), pathText(origin.candidate.path));
  const QString remedy = DumpTensorPairWords::tr(
      "Put them back there, or compare them where they are now: File › Compare dumps.");
  return {Kind::Unreadable,
          error.code() == ErrorCode::NotFound
              ? DumpTensorPairWords::tr("The dumps are not where they were")
              : DumpTensorPairWords::tr("The dumps cannot be read"),
          QStringLiteral("%1\n%2\n%3").arg(errorText(error), where, remedy)};
}

TensorPairAnswer readDumpPair(const CaptureOrigin& place,
                              const Site& shown,
                              const std::stop_token& stop) {
  const report::DumpOrigin& origin = place.dumps->origin();
  Site own = shown;
  own.name = place.site;
  const auto found = place.dumps->find(place.run, own, stop);
  if (!found) {
    return {nullptr, dumpsProblem(found.error(), origin)};
  }
  if (!*found) {
    return {nullptr, notFound(shown, origin)};
  }
  const analysis::ComparedTensor& tensor = **found;
  if (!tensor.baseline().hasElements || !tensor.candidate().hasElements) {
    return {nullptr, noElements(tensor, shown)};
  }
  auto pair = analysis::lookAtPair(tensor, shown);
  if (!pair) {
    return {nullptr, unreadable(pair.error(), tensor)};
  }
  return answerOf(*pair);
}

}  // namespace ulp::views
