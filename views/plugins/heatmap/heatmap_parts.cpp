#include "views/plugins/heatmap/heatmap_parts.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <QtCore/QCoreApplication>
#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPushButton>

#include "views/framework/document/other_inputs.h"
#include "views/framework/document/selection_context.h"
#include "views/framework/threads/background.h"
#include "views/framework/widgets/layouts.h"
#include "views/framework/workspace/workspace.h"

namespace ulp::views {
namespace {

constexpr qint64 kPartsPeriod = 400;  ///< milliseconds

struct HeatmapPartsWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::HeatmapView)
};

std::ptrdiff_t comparedCount(const std::vector<PartColumn>& columns) {
  return std::ranges::count_if(columns,
                               [](const PartColumn& column) { return column.has_value(); });
}

/// With the button that copies what the study needs.
HeatmapGap needsSetting(const QString& title, const QString& text) {
  return {title, text, HeatmapPartsWords::tr("Copy the setting"), [] {
            QGuiApplication::clipboard()->setText(QStringLiteral("capture:\n  tensors: full\n"));
          }};
}

}  // namespace

HeatmapParts::HeatmapParts(const ViewContext& context, QWidget* parent)
    : QWidget(parent),
      m_context(context),
      m_tag(workTagOf(this, "heatmap-parts")),
      m_progress(new QLabel(this)),
      m_stop(new QPushButton(HeatmapPartsWords::tr("Stop"), this)) {
  m_progress->setForegroundRole(QPalette::PlaceholderText);
  rowOf(this,
        {m_progress, m_stop, BoxItem::stretch()},
        {.margins = QMargins(8, 4, 8, 0), .spacing = 8});
  connect(m_stop, &QPushButton::clicked, this, &HeatmapParts::stop);
}

void HeatmapParts::request(Request request) {
  m_request = std::move(request);
  m_isShown = false;
  PartRequest parts;
  if (const std::optional<HeatmapGap> gap = findTensors(parts)) {
    Q_EMIT missing(*gap);
    return;
  }
  const bool sameFiles = m_parts && m_parts->document == parts.document && !m_results.error;
  if (!sameFiles) {
    m_tensors.reset();
  }
  m_parts = std::make_shared<const PartRequest>(std::move(parts));
  m_results = {};
  m_isBusy = true;
  compareNext();
  showState();
}

void HeatmapParts::compareNext() {
  m_context.background.run<PartBatch>(
      m_tag,
      this,
      [request = m_parts, first = m_results.columns.size(), tensors = m_tensors](
          const std::stop_token& stop) { return computeParts(*request, first, tensors, stop); },
      [this](PartBatch batch) { take(std::move(batch)); });
}

void HeatmapParts::take(PartBatch batch) {
  m_tensors = std::move(batch.tensors);
  std::ranges::move(batch.columns, std::back_inserter(m_results.columns));
  m_results.sampled += batch.sampled;
  std::ranges::move(batch.unreadable, std::back_inserter(m_results.unreadable));
  m_results.sequenceLength = std::max(m_results.sequenceLength, batch.sequenceLength);
  m_results.error = std::move(batch.error);
  m_isBusy = !m_results.error && m_results.columns.size() < m_parts->sites.size();
  if (m_isBusy) {
    compareNext();
  }
  onProgressed();
}

void HeatmapParts::abandon() {
  m_context.background.cancel(m_tag);
  m_isBusy = false;
}

void HeatmapParts::stop() {
  if (m_isBusy) {
    abandon();
    onProgressed();
  }
}

std::optional<HeatmapGap> HeatmapParts::findTensors(PartRequest& parts) {
  const ReportDocument& document = *m_request.document;
  const Selection& selection = m_request.selection;
  const numerics::MetricRegistry registry = numerics::builtinMetrics();
  const auto metric = registry.indexOf(selection.metric.toStdString());
  const bool heads = m_request.mode == HeatmapMode::Heads;
  // Some metrics of comparisons of dumps are made of what was recorded beside the elements.
  if (!metric || registry.all()[*metric].value == nullptr) {
    return HeatmapGap{
        HeatmapPartsWords::tr("This metric is unknown"),
        HeatmapPartsWords::tr("This version of Ulpscope cannot compute %1 from kept tensors. "
                              "Choose another metric.")
            .arg(selection.metric)};
  }
  if (selection.shown == PassFilter::ParameterGradient ||
      selection.shown == PassFilter::Optimizer) {
    return HeatmapGap{
        heads ? HeatmapPartsWords::tr("Parameters have no heads")
              : HeatmapPartsWords::tr("Parameters have no tokens"),
        HeatmapPartsWords::tr(
            "Their gradients are summed over all tokens. Show the forward and the backward "
            "pass to see this heatmap."),
        HeatmapPartsWords::tr("Show forward and backward"),
        [&all = m_context.selection] { all.selectPasses(PassFilter::ForwardBackward); }};
  }
  const std::optional<std::int64_t> size = headSize(document);
  const std::vector<HeadTensor> tensors = headTensors(document, selection.shown);
  const auto chosen = std::ranges::find(tensors, m_request.kind, &HeadTensor::id);
  if (heads && (!size || chosen == tensors.end())) {
    return HeatmapGap{
        HeatmapPartsWords::tr("Heads cannot be told apart in this report"),
        HeatmapPartsWords::tr(
            "It needs the rows of q_proj, k_proj, v_proj or o_proj and that of the rotary "
            "embedding, which tells how many channels a head has. Set capture.level to "
            "module in the study and run it again.")};
  }
  const PassFilter headPass =
      heads && chosen->pass == Pass::Backward ? PassFilter::Backward : PassFilter::Forward;
  m_axis = charts::makeDepthAxis(document,
                                 heads ? chosen->module : m_request.kind,
                                 heads ? headPass : onAxis(selection.shown));
  parts = {.document = m_request.document,
           .reference = document.baselineOf(document.variantName(m_request.variant)),
           .variant = document.variantName(m_request.variant),
           .mode = m_request.mode,
           .headSize = size.value_or(0),
           .metric = registry.all()[*metric]};
  for (const charts::DepthSlot& slot : m_axis.positions) {
    parts.sites.push_back(document.sites()[static_cast<std::size_t>(slot.site)]);
  }
  return std::nullopt;
}

void HeatmapParts::onProgressed() {
  // A large picture is not painted again for every tensor that arrives.
  const bool isTooSoon = m_isBusy && m_isShown && m_shownFor.elapsed() < kPartsPeriod;
  if (comparedCount(m_results.columns) > 0 && !isTooSoon) {
    const ReportDocument& document = *m_request.document;
    Q_EMIT made(partsByLayer(m_request.mode,
                             metricInfo(document, document.findMetric(m_request.selection.metric)),
                             m_request.variant,
                             m_axis,
                             m_results.columns,
                             m_results.sequenceLength));
    m_isShown = true;
    m_shownFor.start();
  }
  showState();
}

QString HeatmapParts::stateText() const {
  const auto total = static_cast<int>(m_parts ? m_parts->sites.size() : 0);
  const auto done = static_cast<int>(m_results.columns.size());
  if (m_isBusy) {
    return HeatmapPartsWords::tr("Comparing kept tensors: %1 of %2").arg(done).arg(total);
  }
  if (done < total) {
    return HeatmapPartsWords::tr("Stopped after %1 of %2 tensors.").arg(done).arg(total);
  }
  QString text = HeatmapPartsWords::tr("%1 of %2 tensors were kept whole and compared.")
                     .arg(comparedCount(m_results.columns))
                     .arg(total);
  if (m_results.sampled > 0) {
    text += QLatin1Char(' ') +
            HeatmapPartsWords::tr("Of %1 only samples were kept.").arg(m_results.sampled);
  }
  const ReportDocument& document = *m_request.document;
  const QString inputs = otherInputsText(document, m_request.variant);
  if (!inputs.isEmpty()) {
    text += QStringLiteral(" %1: %2.").arg(document.variantName(m_request.variant), inputs);
  }
  if (!m_results.unreadable.empty()) {
    text +=
        QLatin1Char(' ') + HeatmapPartsWords::tr("%1 could not be read, the first: %2")
                               .arg(m_results.unreadable.size())
                               .arg(QString::fromStdString(m_results.unreadable.front().message()));
  }
  return text;
}

void HeatmapParts::showState() {
  const QString text = stateText();
  m_stop->setVisible(m_isBusy);
  m_progress->setText(text);
  if (!m_isShown) {
    Q_EMIT missing(
        m_isBusy ? HeatmapGap{HeatmapPartsWords::tr("Comparing kept tensors"), text, {}, {}, true}
                 : gap());
  } else if (m_results.error) {
    m_context.workspace.messages.raise(messageOf(*m_results.error, QStringLiteral("heatmap")));
  }
}

HeatmapGap HeatmapParts::gap() const {
  const ReportDocument& document = *m_request.document;
  if (m_results.error && m_results.error->code() != ErrorCode::NotFound) {
    return {HeatmapPartsWords::tr("The kept tensors cannot be read"),
            QString::fromStdString(m_results.error->message())};
  }
  if (m_results.sampled > 0) {
    return needsSetting(
        HeatmapPartsWords::tr("Only samples of the tensors were kept"),
        HeatmapPartsWords::tr(
            "Single tokens and heads need whole tensors. Set capture.tensors to full in the "
            "study and run it again."));
  }
  const auto origin = document.captureOrigin(document.variantName(m_request.variant), {});
  if (origin && origin->dumps) {
    const Error* error = m_results.error                 ? &*m_results.error
                         : !m_results.unreadable.empty() ? &m_results.unreadable.front()
                                                         : nullptr;
    return {HeatmapPartsWords::tr("The elements cannot be compared"),
            error != nullptr
                ? QString::fromStdString(error->message())
                : HeatmapPartsWords::tr(
                      "Single tokens and heads need the elements, which the two dumps do not "
                      "both hold: record tensors rather than statistics.")};
  }
  return needsSetting(
      HeatmapPartsWords::tr("The tensors of this report were not kept"),
      HeatmapPartsWords::tr(
          "Single tokens and heads need the tensors themselves. Set capture.tensors to full "
          "in the study and run it again."));
}

}  // namespace ulp::views
