#include "app/gui/bars/breadcrumbs.h"

#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QLabel>
#include <QtWidgets/QMenu>
#include <QtWidgets/QToolButton>

#include "views/commands/action_catalog.h"
#include "views/framework/document/selection_context.h"
#include "views/framework/words/literal_text.h"
#include "views/framework/words/site_text.h"
#include "views/framework/workspace/finding_navigator.h"
#include "views/framework/workspace/workspace.h"

namespace ulp::app {
namespace {

/// More entries than this are chosen in the table or with Ctrl+P.
constexpr int kMenuLimit = 60;

const Site* siteOf(const views::ReportDocument& document, const views::Selection& selection) {
  const int site = document.findSite(selection.site.toStdString(), selection.pass);
  return site < 0 ? nullptr : &document.sites()[static_cast<std::size_t>(site)];
}

/// What stands behind the number of the layer, "mlp.up_proj"; the whole name where it has none.
QString behindLayer(const Site& site) {
  const QString name = QString::fromStdString(site.name);
  const QString layer = QStringLiteral(".%1.").arg(site.layer);
  const qsizetype at = name.indexOf(layer);
  return at < 0 ? name : name.mid(at + layer.size());
}

}  // namespace

Breadcrumbs::Breadcrumbs(const views::ViewContext& context, QWidget* parent)
    : QWidget(parent), m_context(context), m_layout(new QHBoxLayout(this)) {
  m_layout->setContentsMargins(0, 0, 0, 0);
  m_layout->setSpacing(0);
  setObjectName(QStringLiteral("breadcrumbs"));
  setAccessibleName(tr("Selection"));
  const auto refreshed = [this] { refresh(); };
  connect(&m_context.selection, &views::SelectionContext::selectionChanged, this, refreshed);
  connect(&m_context.workspace.reports, &views::ReportSet::documentChanged, this, refreshed);
  refresh();
}

QStringList Breadcrumbs::parts() const {
  QStringList texts;
  for (const QToolButton* part : m_parts) {
    texts << part->text();
  }
  return texts;
}

void Breadcrumbs::refresh() {
  while (const std::unique_ptr<QLayoutItem> item{m_layout->takeAt(0)}) {
    // A button may be the one whose click is being handled.
    item->widget()->hide();
    item->widget()->deleteLater();
  }
  m_parts.clear();
  if (!m_context.workspace.reports.document()) {
    return;
  }
  const views::Selection& selection = m_context.selection.selection();
  addBaseline(selection);
  addVariant(selection);
  addPass(selection);
  addSite(selection);
  addElement(selection);
}

QToolButton* Breadcrumbs::add(const QString& text, const QString& name) {
  if (m_layout->count() > 0) {
    auto* separator = new QLabel(QStringLiteral("›"), this);
    separator->setForegroundRole(QPalette::PlaceholderText);
    m_layout->addWidget(separator);
  }
  auto* button = new QToolButton(this);
  button->setText(views::literalText(views::shortName(text.toStdString())));
  button->setAutoRaise(true);
  button->setAccessibleName(QStringLiteral("%1: %2").arg(name, text));
  button->setToolTip(name);
  m_layout->addWidget(button);
  m_parts.push_back(button);
  return button;
}

void Breadcrumbs::addBaseline(const views::Selection& selection) {
  if (selection.baseline.isEmpty()) {
    return;
  }
  const QString sign = selection.relation == views::Relation::Ratio        ? QStringLiteral("÷ ")
                       : selection.relation == views::Relation::Difference ? QStringLiteral("− ")
                                                                           : QString();
  QToolButton* button = add(sign + selection.baseline, tr("Baseline; back to the reference"));
  connect(button, &QToolButton::clicked, this, [this] {
    m_context.selection.selectBaseline({}, views::Relation::Error);
  });
}

void Breadcrumbs::offer(QToolButton& button, const std::function<void(QMenu&)>& fill) {
  auto* menu = new QMenu(&button);
  menu->setProperty(views::kFilledLater, true);
  connect(menu, &QMenu::aboutToShow, this, [menu, fill] {
    menu->clear();
    fill(*menu);
  });
  button.setPopupMode(QToolButton::InstantPopup);
  button.setMenu(menu);
}

void Breadcrumbs::offerSite(QMenu& menu, const QString& text, const QString& site, Pass pass) {
  menu.addAction(views::literalText(views::shortName(text.toStdString())),
                 this,
                 [this, site, pass] { goTo(site, pass); });
}

void Breadcrumbs::goTo(const QString& site, Pass pass) {
  m_context.findings.showPlace({}, Site{.name = site.toStdString(), .pass = pass});
}

void Breadcrumbs::addVariant(const views::Selection& selection) {
  if (selection.runs.isEmpty()) {
    return;
  }
  QToolButton* button = add(selection.run(), tr("Variant"));
  offer(*button, [this](QMenu& menu) {
    const views::ReportDocument& document = *m_context.workspace.reports.document();
    for (int i = 0; i < std::min(document.variantCount(), kMenuLimit); ++i) {
      const QString name = document.variantName(i);
      menu.addAction(views::literalText(name), this, [this, name] {
        m_context.findings.showPlace({name}, std::nullopt);
      });
    }
  });
}

void Breadcrumbs::addPass(const views::Selection& selection) {
  if (selection.site.isEmpty()) {
    return;
  }
  QToolButton* button = add(views::passText(selection.pass), tr("Pass"));
  offer(*button, [this](QMenu& menu) {
    const views::ReportDocument& document = *m_context.workspace.reports.document();
    const QString site = m_context.selection.selection().site;
    for (const Pass pass : kPasses) {
      if (document.findSite(site.toStdString(), pass) >= 0) {
        offerSite(menu, views::passText(pass), site, pass);
      }
    }
  });
}

void Breadcrumbs::addSite(const views::Selection& selection) {
  const views::ReportDocument& document = *m_context.workspace.reports.document();
  const Site* site = siteOf(document, selection);
  if (site == nullptr) {
    return;
  }
  if (site->layer < 0 || site->level == Level::Layer) {
    add(selection.site, tr("Tensor"))->setEnabled(false);
    return;
  }
  const QString layer = QStringLiteral("decoder.%1").arg(site->layer);
  const bool hasLayer = document.findSite(layer.toStdString(), site->pass) >= 0;
  QToolButton* up = add(layer, tr("Layer; up to its output"));
  up->setEnabled(hasLayer);
  connect(up, &QToolButton::clicked, this, [this, layer, pass = site->pass] { goTo(layer, pass); });
  QToolButton* button = add(behindLayer(*site), tr("Module"));
  offer(*button, [this, level = site->layer, pass = site->pass](QMenu& menu) {
    for (const Site& sibling : m_context.workspace.reports.document()->sites()) {
      if (sibling.layer == level && sibling.pass == pass && sibling.level != Level::Layer &&
          menu.actions().size() < kMenuLimit) {
        offerSite(menu, behindLayer(sibling), QString::fromStdString(sibling.name), pass);
      }
    }
  });
}

void Breadcrumbs::addElement(const views::Selection& selection) {
  if (selection.element.empty()) {
    return;
  }
  QToolButton* button =
      add(views::elementText(selection.element), tr("Element; back to the tensor"));
  connect(button, &QToolButton::clicked, this, [this] { m_context.selection.selectElement({}); });
}

}  // namespace ulp::app
