#include "views/plugins/tensor/inspector/statistics_reader.h"

#include "core/base/result.h"

namespace ulp::views {
namespace {

/// Beyond so many elements statistics are read by a thread of their own.
constexpr std::size_t kManyElements = std::size_t{16} << 20;

}  // namespace

StatisticsReader::StatisticsReader(Background& background, QObject* parent)
    : QObject(parent),
      m_shared(background),
      m_tag(QStringLiteral("tensor-statistics-%1").arg(reinterpret_cast<quintptr>(this))) {}

StatisticsReader::~StatisticsReader() {
  m_shared.cancel(m_tag);
}

void StatisticsReader::read(const analysis::TensorPairPtr& pair) {
  using Computed = Result<analysis::PairStatisticsPtr>;
  m_wasStopped = false;
  auto progress = std::make_shared<analysis::Progress>();
  m_progress = progress;
  Background& background = pair->count() > kManyElements ? m_own : m_shared;
  background.run<Computed>(
      m_tag,
      this,
      [pair, progress](const std::stop_token& stop) {
        return analysis::computePairStatistics(*pair, stop, progress.get());
      },
      [this](const Computed& computed) {
        m_progress.reset();
        m_wasStopped = !computed;
        if (computed) {
          m_statistics = *computed;
          Q_EMIT known();
        } else {
          Q_EMIT failed(computed.error());
        }
      });
}

void StatisticsReader::stop() {
  m_wasStopped = m_progress != nullptr;
  m_own.cancel(m_tag);
  m_shared.cancel(m_tag);
  m_progress.reset();
}

void StatisticsReader::clear() {
  stop();
  m_statistics = nullptr;
}

}  // namespace ulp::views
