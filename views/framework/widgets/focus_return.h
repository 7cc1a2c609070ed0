#pragma once

#include <QtCore/QObject>
#include <QtCore/QPointer>

class QComboBox;
class QWidget;

namespace ulp::views {

/// Gives the keyboard back once a choice was made in a box of a toolbar: when its list closes, and
/// on Enter and Escape. Arrow keys stay in the box, to walk on. Owned by the box.
class FocusReturn : public QObject {
  Q_OBJECT

 public:
  /// `view` gets the keyboard; null: whatever had it before the box.
  explicit FocusReturn(QComboBox& box, QWidget* view = nullptr);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void remember(QWidget* before, const QWidget* now);
  void giveBack();

  QComboBox& m_box;
  QPointer<QWidget> m_view;
  QPointer<QWidget> m_before;
};

}  // namespace ulp::views
