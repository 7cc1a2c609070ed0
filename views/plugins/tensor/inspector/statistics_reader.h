#pragma once

#include <memory>

#include <QtCore/QObject>

#include "core/analysis/tensors/pair_statistics.h"
#include "core/base/error.h"
#include "views/framework/threads/background.h"

namespace ulp::views {

/// Reads the statistics of a pair of tensors in the background, large ones on a thread of their
/// own.
class StatisticsReader : public QObject {
  Q_OBJECT

 public:
  /// `background` outlives the reader.
  explicit StatisticsReader(Background& background, QObject* parent = nullptr);
  ~StatisticsReader() override;
  StatisticsReader(const StatisticsReader&) = delete;
  StatisticsReader& operator=(const StatisticsReader&) = delete;

  /// Begins with another pair; known() or failed() follows.
  void read(const analysis::TensorPairPtr& pair);
  /// Stops reading; what is known stays.
  void stop();
  /// Stops reading, and forgets what is known.
  void clear();

  /// Null: not known yet, or stopped.
  [[nodiscard]] const analysis::PairStatisticsPtr& statistics() const { return m_statistics; }
  [[nodiscard]] bool isReading() const { return m_progress != nullptr; }
  [[nodiscard]] bool wasStopped() const { return m_wasStopped; }
  /// Of what is being read, 0 … 1; 1 when nothing is.
  [[nodiscard]] double progress() const { return m_progress ? m_progress->fraction() : 1; }

 Q_SIGNALS:
  void known();
  void failed(const ulp::Error& error);

 private:
  Background& m_shared;
  QString m_tag;  ///< of this reader alone
  analysis::PairStatisticsPtr m_statistics;
  std::shared_ptr<analysis::Progress> m_progress;  ///< null: not being read
  bool m_wasStopped = false;
  Background m_own;  ///< for large tensors; last: its work ends before the rest dies
};

}  // namespace ulp::views
