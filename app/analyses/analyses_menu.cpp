#include "app/analyses/analyses_menu.h"

#include "app/window/window_text.h"

#include <QMenu>

namespace helio {

namespace {

/// As menus write it: no letter of it is a shortcut.
QString escaped(QString text) { return text.replace('&', QStringLiteral("&&")); }

} // namespace

AnalysesMenu::AnalysesMenu(QMenu& menu, QAction& before, AnalysisList& list, QObject* parent)
    : QObject(parent)
    , m_menu(menu)
    , m_before(before)
    , m_list(list)
    , m_each(new QMenu(tr("Look into"), &menu))
{
    m_menu.setToolTipsVisible(true);
    m_each->setToolTipsVisible(true);
    m_menu.insertMenu(&m_before, m_each);
    connect(&m_list, &AnalysisList::changed, this, &AnalysesMenu::fill);
    connect(&m_menu, &QMenu::aboutToShow, this, &AnalysesMenu::fill); // What is shown may have changed.
    fill();
}

void AnalysesMenu::setAttributes(IsShown isShown, Show show)
{
    m_isShown = std::move(isShown);
    m_show = std::move(show);
}

void AnalysesMenu::fill()
{
    for (const QPointer<QAction>& line : m_lines)
        delete line;
    m_lines.clear();
    const QList<QAction*> menus = m_each->actions();
    for (QAction* its : menus)
        delete its->menu();
    m_each->clear();
    QAction* title = m_menu.insertSection(m_each->menuAction(), tr("Analyses"));
    m_lines.emplace_back(title);
    for (const AnalysisEntry& entry : m_list.entries()) {
        addSwitch(entry, m_each->menuAction());
        addMenuOf(entry, *m_each);
    }
    m_lines.emplace_back(m_menu.insertSeparator(m_each->menuAction()));
    m_each->menuAction()->setEnabled(!m_list.entries().empty());
}

void AnalysesMenu::addSwitch(const AnalysisEntry& entry, QAction* before)
{
    auto* action = new QAction(escaped(entry.label) + '\t' + entry.origin, &m_menu);
    action->setCheckable(true);
    action->setChecked(entry.isOn);
    action->setEnabled(entry.canRun());
    QString tip =
        entry.canRun() ? (entry.isOn ? tr("Runs on what is open") : tr("Would run on what is open")) : plainSentence(entry.reason);
    if (!entry.path.isEmpty())
        tip += '\n' + entry.path;
    action->setToolTip(tip);
    action->setStatusTip(entry.reason);
    connect(action, &QAction::triggered, this, [this, id = entry.id](bool isOn) { m_list.switchOn(id, isOn); });
    m_menu.insertAction(before, action);
    m_lines.emplace_back(action);
}

void AnalysesMenu::addMenuOf(const AnalysisEntry& entry, QMenu& menu)
{
    QMenu* its = menu.addMenu(escaped(entry.label));
    if (!entry.source.isEmpty())
        its->addAction(tr("Inspect"), this, [this, id = entry.id] { m_list.inspect(id); });
    if (!entry.attributes.isEmpty()) {
        QAction* shows = its->addAction(tr("Show all attributes"));
        shows->setCheckable(true);
        shows->setEnabled(entry.isOn && entry.applies);
        shows->setChecked(m_isShown && m_isShown(entry.attributes));
        connect(shows, &QAction::triggered, this, [this, view = entry.attributes](bool isShown) {
            if (m_show)
                m_show(view, isShown);
        });
    }
    QAction* edit = its->addAction(tr("Open in the editor"), this, [this, path = entry.path] { m_list.edit(path, 1); });
    edit->setEnabled(!entry.path.isEmpty());
    edit->setToolTip(entry.path.isEmpty() ? tr("It is part of the program: there is no file") : entry.path);
}

} // namespace helio
