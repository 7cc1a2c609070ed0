#pragma once

#include <QtCore/QList>
#include <QtWidgets/QWidget>

namespace ulp::views {

class ThemeManager;

/// A worker's memory from its start until now, small, from zero to the most that it had.
class MemoryLine : public QWidget {
  Q_OBJECT

 public:
  explicit MemoryLine(const ThemeManager& themes, QWidget* parent = nullptr);

  /// Bytes at equal distances of time.
  void setHistory(const QList<quint64>& bytes);
  [[nodiscard]] QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  const ThemeManager& m_themes;
  QList<quint64> m_bytes;
};

}  // namespace ulp::views
