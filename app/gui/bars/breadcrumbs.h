#pragma once

#include <functional>
#include <vector>

#include <QtWidgets/QWidget>

#include "views/framework/view/view.h"

class QHBoxLayout;
class QMenu;
class QToolButton;

namespace ulp::app {

/// Where the selection is: baseline › variant › pass › layer › module › element. Each part is a
/// button: variant, pass and module offer their siblings, layer and element lead upwards.
class Breadcrumbs : public QWidget {
  Q_OBJECT

 public:
  explicit Breadcrumbs(const views::ViewContext& context, QWidget* parent = nullptr);

  /// The texts of the parts, from left to right.
  [[nodiscard]] QStringList parts() const;

 private:
  void refresh();
  QToolButton* add(const QString& text, const QString& name);
  /// Lets a part offer its siblings; the menu is filled when it is opened.
  void offer(QToolButton& button, const std::function<void(QMenu&)>& fill);
  /// Adds an entry that leads to a tensor.
  void offerSite(QMenu& menu, const QString& text, const QString& site, Pass pass);
  void goTo(const QString& site, Pass pass);
  void addBaseline(const views::Selection& selection);
  void addVariant(const views::Selection& selection);
  void addPass(const views::Selection& selection);
  void addSite(const views::Selection& selection);
  void addElement(const views::Selection& selection);

  views::ViewContext m_context;
  QHBoxLayout* m_layout;
  std::vector<QToolButton*> m_parts;  ///< from left to right
};

}  // namespace ulp::app
