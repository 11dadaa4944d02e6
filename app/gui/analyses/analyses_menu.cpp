#include "app/gui/analyses/analyses_menu.h"

#include "app/gui/common/window_text.h"
#include "widgets/controls/menus.h"

#include <QFileInfo>
#include <QMenu>
#include <QRegularExpression>

namespace helio {

namespace {

/// Escapes `&`, which marks a shortcut in texts of menus.
QString escaped(QString text) { return text.replace('&', QStringLiteral("&&")); }

/// True if the file of the entry's plug-in was removed. Its code stays loaded until the program ends.
bool isGone(const AnalysisEntry& entry) { return !entry.plugin.isEmpty() && !QFileInfo::exists(entry.plugin); }

} // namespace

QString shortenLists(const QString& reason)
{
    constexpr int Most = 4;
    static const QRegularExpression list(QStringLiteral("[^\\s,;:]+(?:(, ?)[^\\s,;:]+){%1,}").arg(Most));
    QString text;
    qsizetype end = 0;
    for (auto matches = list.globalMatch(reason); matches.hasNext();) {
        const QRegularExpressionMatch match = matches.next();
        const QStringList words = match.captured().split(match.captured(1));
        text += reason.mid(end, match.capturedStart() - end);
        text += AnalysesMenu::tr("%1 and %2 more").arg(words.mid(0, Most - 1).join(match.captured(1))).arg(words.size() - Most + 1);
        end = match.capturedEnd();
    }
    return text + reason.mid(end);
}

AnalysesMenu::AnalysesMenu(QMenu& menu, QAction& before, AnalysisList& list, Window window, QObject* parent)
    : QObject(parent)
    , m_menu(menu)
    , m_before(before)
    , m_list(list)
    , m_window(window)
    , m_each(new QMenu(tr("Inspect"), &menu))
{
    m_menu.setToolTipsVisible(true);
    m_menu.insertMenu(&m_before, m_each);
    connect(&m_list, &AnalysisList::changed, this, &AnalysesMenu::fill);
    // Refill the menu each time, because panels may have been shown or hidden since.
    connect(&m_menu, &QMenu::aboutToShow, this, &AnalysesMenu::fill);
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
        if (isGone(entry) && !entry.canRun())
            continue;
        addSwitch(entry, m_each->menuAction());
        addMenuOf(entry, *m_each);
    }
    m_lines.emplace_back(m_menu.insertSeparator(m_each->menuAction()));
    m_each->menuAction()->setEnabled(!m_list.entries().empty());
}

void AnalysesMenu::addSwitch(const AnalysisEntry& entry, QAction* before)
{
    auto* action = new QAction(escaped(entry.label) + '\t' + (isGone(entry) ? tr("plug-in, file missing") : entry.origin), &m_menu);
    action->setCheckable(true);
    action->setChecked(entry.isOn);
    action->setEnabled(entry.canRun());
    action->setToolTip(wrapTooltip(tipOf(entry)));
    action->setStatusTip(shortenLists(entry.reason));
    connect(action, &QAction::triggered, this, [this, id = entry.id](bool isOn) { m_list.switchOn(id, isOn); });
    m_menu.insertAction(before, action);
    m_lines.emplace_back(action);
}

QString AnalysesMenu::tipOf(const AnalysisEntry& entry) const
{
    const QString reason = shortenLists(entry.reason);
    QString tip = !entry.canRun() ? plainSentence(reason) : entry.isOn ? tr("Runs on the open traces") : tr("Would run on the open traces");
    if (reason != entry.reason)
        tip += '\n'
            + (m_window.canInspect && !entry.source.isEmpty() ? tr("Full list: Inspect › %1 › Open inspector").arg(entry.label)
                                                              : tr("Full list: heliograph analyses TRACE"));
    for (const QString& file : {entry.path, entry.plugin})
        if (!file.isEmpty())
            tip += '\n' + file;
    return tip;
}

void AnalysesMenu::addMenuOf(const AnalysisEntry& entry, QMenu& menu)
{
    QMenu* its = menu.addMenu(escaped(entry.label));
    its->setToolTipsVisible(true);
    if (m_window.canInspect && !entry.source.isEmpty())
        its->addAction(tr("Open inspector"), this, [this, id = entry.id] { m_list.inspect(id); });
    if (!entry.attributes.isEmpty())
        addAttributes(entry, *its);
    entry.plugin.isEmpty() ? addFile(entry, *its) : addPermission(entry, *its);
}

void AnalysesMenu::addAttributes(const AnalysisEntry& entry, QMenu& its)
{
    QAction* shows = its.addAction(tr("Show all attributes"));
    shows->setCheckable(true);
    shows->setEnabled(entry.isOn && entry.applies);
    shows->setChecked(m_isShown && m_isShown(entry.attributes));
    connect(shows, &QAction::triggered, this, [this, view = entry.attributes](bool isShown) {
        if (m_show)
            m_show(view, isShown);
    });
}

void AnalysesMenu::addFile(const AnalysisEntry& entry, QMenu& its)
{
    QAction* edit = its.addAction(tr("Open in editor"), this, [this, path = entry.path] { m_list.edit(path, 1); });
    edit->setEnabled(!entry.path.isEmpty());
    edit->setToolTip(entry.path.isEmpty() ? tr("Built in: there is no file to open") : entry.path);
}

void AnalysesMenu::addPermission(const AnalysisEntry& entry, QMenu& its)
{
    const QString name = escaped(QFileInfo(entry.plugin).fileName());
    QAction* line = nullptr;
    QString tip;
    if (entry.permission == AnalysisEntry::Permission::Given) {
        line = its.addAction(tr("Forbid plug-in %1").arg(name));
        // The connection is queued, because forbidding a plug-in changes the list of analyses, which destroys this menu.
        connect(
            line, &QAction::triggered, this, [this, file = entry.plugin] { m_list.forbid(file); }, Qt::QueuedConnection);
        tip = tr("Stops all of its analyses and closes their panels. It is not loaded at the next start; until then "
                 "its code stays in memory. You can allow it again.");
    } else if (entry.permission == AnalysisEntry::Permission::Lacking) {
        line = its.addAction(tr("Allow plug-in %1…").arg(name), this, [this, file = entry.plugin] { m_list.askToAllow(file); });
        line->setEnabled(m_window.canAsk);
        tip = m_window.canAsk ? tr("Show its file and facts, and ask before loading it")
                              : tr("Only the window of a single experiment can allow it");
    } else {
        line = its.addAction(tr("%1 was loaded for this run only").arg(name));
        line->setEnabled(false);
        tip = tr("It is not loaded without --plugin, so there is nothing to forbid.");
    }
    line->setToolTip(wrapTooltip(tip));
}

} // namespace helio
