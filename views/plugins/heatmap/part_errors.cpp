#include "views/plugins/heatmap/part_errors.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "views/framework/threads/background.h"

namespace ulp::views {

PartErrorsLoader::PartErrorsLoader(Background& background, QObject* parent)
    : QObject(parent),
      m_background(background),
      m_tag(QStringLiteral("heatmap-parts-%1").arg(reinterpret_cast<quintptr>(this))) {}

void PartErrorsLoader::start(PartRequest request) {
  const bool sameFiles = m_request && m_request->document == request.document && !m_error;
  if (!sameFiles) {
    m_tensors.reset();
  }
  m_request = std::make_shared<const PartRequest>(std::move(request));
  m_columns.clear();
  m_sampled = 0;
  m_unreadable.clear();
  m_sequenceLength = 0;
  m_error.reset();
  m_busy = true;
  next();
}

void PartErrorsLoader::stop() {
  if (m_busy) {
    abandon();
    Q_EMIT progressed();
  }
}

void PartErrorsLoader::abandon() {
  m_background.cancel(m_tag);
  m_busy = false;
}

void PartErrorsLoader::next() {
  m_background.run<PartBatch>(
      m_tag,
      this,
      [request = m_request, first = m_columns.size(), tensors = m_tensors](
          const std::stop_token& stop) { return computeParts(*request, first, tensors, stop); },
      [this](PartBatch batch) { take(std::move(batch)); });
}

void PartErrorsLoader::take(PartBatch batch) {
  m_tensors = std::move(batch.tensors);
  std::move(batch.columns.begin(), batch.columns.end(), std::back_inserter(m_columns));
  m_sampled += batch.sampled;
  std::move(batch.unreadable.begin(), batch.unreadable.end(), std::back_inserter(m_unreadable));
  m_sequenceLength = std::max(m_sequenceLength, batch.sequenceLength);
  m_error = std::move(batch.error);
  m_busy = !m_error && m_columns.size() < m_request->sites.size();
  if (m_busy) {
    next();
  }
  Q_EMIT progressed();
}

}  // namespace ulp::views
