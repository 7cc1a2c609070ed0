#include "views/framework/tensor_pair_source.h"

#include <algorithm>
#include <optional>
#include <system_error>
#include <utility>

#include <QtCore/QCoreApplication>

#include "views/framework/background.h"
#include "views/framework/site_text.h"

namespace ulp::views {
namespace {

using Kind = TensorPairProblem::Kind;

struct Wanted {
  std::filesystem::path folder;
  std::string reference;
  std::string variant;
  std::string site;
  Pass pass = Pass::Forward;
};

QString translate(const char* text) {
  return QCoreApplication::translate("ulp::views::TensorPairSource", text);
}

QString textOf(const Error& error) {
  return QString::fromStdString(error.message());
}

TensorPairProblem openProblem(const Error& error) {
  if (error.code() == ErrorCode::NotFound) {
    return {Kind::NoTensors,
            translate("This report kept no tensors"),
            translate("The tensors themselves are shown here when a study keeps them: set "
                      "“capture.tensors: full” in the study and run it again.")};
  }
  return {Kind::Unreadable,
          translate("The file of captured tensors cannot be read"),
          translate("%1\nRun the study again to write it anew.").arg(textOf(error))};
}

const tensors::StoredCapture* find(const tensors::CaptureReader& reader,
                                   const std::string& run,
                                   const Wanted& wanted) {
  const auto& captures = reader.captures();
  const auto found =
      std::find_if(captures.begin(), captures.end(), [&](const tensors::StoredCapture& capture) {
        return capture.run == run && capture.site.pass == wanted.pass &&
               capture.site.name == wanted.site;
      });
  return found == captures.end() ? nullptr : &*found;
}

/// Why a run has no such capture.
TensorPairProblem absence(const tensors::CaptureReader& reader,
                          const std::string& run,
                          const Wanted& wanted) {
  const auto& captures = reader.captures();
  const bool hasRun =
      std::any_of(captures.begin(), captures.end(), [&run](const tensors::StoredCapture& capture) {
        return capture.run == run;
      });
  const QString name = QString::fromStdString(run);
  if (hasRun) {
    return {Kind::NotCaptured,
            translate("%1 (%2) was not kept for “%3”")
                .arg(QString::fromStdString(wanted.site), passText(wanted.pass), name),
            translate("The study keeps other tensors: see capture.level, capture.include and "
                      "capture.exclude in it.")};
  }
  QStringList reasons;
  for (const Error& problem : reader.problems()) {
    reasons << textOf(problem);
  }
  if (reasons.isEmpty()) {
    return {Kind::NotCaptured,
            translate("“%1” has no tensors yet").arg(name),
            translate("They can be shown once the run has finished.")};
  }
  return {Kind::Unreadable,
          translate("The tensors of “%1” cannot be read").arg(name),
          reasons.join(QLatin1Char('\n'))};
}

}  // namespace

struct TensorPairSource::Answer {
  ReaderPtr reader;
  analysis::TensorPairPtr pair;
  TensorPairProblem problem;
};

namespace {

TensorPairProblem unreadable(const Error& error) {
  return {Kind::Unreadable, translate("The tensor cannot be read"), textOf(error)};
}

/// The pair, or the reason why there is none.
std::pair<analysis::TensorPairPtr, TensorPairProblem> findPair(const tensors::CaptureReader& reader,
                                                               const Wanted& wanted) {
  for (const std::string& run : {wanted.reference, wanted.variant}) {
    if (find(reader, run, wanted) == nullptr) {
      return {nullptr, absence(reader, run, wanted)};
    }
  }
  const tensors::StoredCapture& stored = *find(reader, wanted.reference, wanted);
  auto reference = reader.read(stored);
  if (!reference) {
    return {nullptr, unreadable(reference.error())};
  }
  const tensors::StoredCapture& other = *find(reader, wanted.variant, wanted);
  auto variant = reader.read(other);
  if (!variant) {
    return {nullptr, unreadable(variant.error())};
  }
  if (stored.sampleStride != other.sampleStride || stored.shape != other.shape) {
    return {nullptr,
            {Kind::NotComparable,
             translate("The two tensors differ in shape"),
             translate("The reference has %1, the variant %2, so that elements cannot be paired.")
                 .arg(shapeText(stored.shape), shapeText(other.shape))}};
  }
  auto pair = analysis::makeTensorPair(
      stored.site, std::move(*reference), std::move(*variant), stored.sampleStride, stored.shape);
  if (!pair) {
    return {nullptr,
            {Kind::NotComparable,
             translate("The two tensors cannot be compared"),
             textOf(pair.error())}};
  }
  if ((*pair)->count() == 0) {
    return {nullptr,
            {Kind::NotComparable,
             translate("The tensor has no elements"),
             translate("Its shape is %1.").arg(shapeText((*pair)->shape()))}};
  }
  return {*pair, {}};
}

}  // namespace

TensorPairSource::TensorPairSource(Background& background, QObject* parent)
    : QObject(parent), m_background(background) {}

QString TensorPairSource::tag() const {
  return QStringLiteral("tensor-pair/%1").arg(reinterpret_cast<quintptr>(this));
}

void TensorPairSource::setReport(const DocumentPtr& document) {
  m_document = document;
  m_reader.reset();
  m_background.cancel(tag());
}

void TensorPairSource::request(const Selection& selection) {
  if (!m_document || m_document->referenceRun() == nullptr || selection.site.isEmpty() ||
      m_document->findVariant(selection.run()) < 0) {
    m_background.cancel(tag());
    Q_EMIT pairMissing({Kind::NoSelection,
                        tr("No tensor is selected"),
                        tr("Click a cell of the overview, a point of a chart, or a row of the "
                           "table.")});
    return;
  }
  const Wanted wanted{m_document->loaded().folder,
                      m_document->report().reference,
                      selection.run().toStdString(),
                      selection.site.toStdString(),
                      selection.pass};
  m_background.run<Answer>(
      tag(),
      this,
      [wanted, reader = m_reader](const std::stop_token&) {
        Answer answer{reader, nullptr, {}};
        if (answer.reader == nullptr) {
          auto opened = tensors::CaptureReader::open(wanted.folder);
          if (!opened) {
            answer.problem = openProblem(opened.error());
            return answer;
          }
          answer.reader = std::move(*opened);
        }
        std::tie(answer.pair, answer.problem) = findPair(*answer.reader, wanted);
        return answer;
      },
      [this](const Answer& answer) { receive(answer); });
}

void TensorPairSource::receive(const Answer& answer) {
  m_reader = answer.reader;
  if (answer.pair != nullptr) {
    Q_EMIT pairReady(answer.pair);
  } else {
    Q_EMIT pairMissing(answer.problem);
  }
}

}  // namespace ulp::views
