// Menus of SqlView: history, examples, time limits, exports and the context menu.

#include "widgets/controls/copy_text.h"
#include "widgets/controls/menus.h"
#include "widgets/docks/sql/sql_examples.h"
#include "widgets/docks/sql/sql_view.h"
#include "widgets/sql/sql_editor.h"
#include "widgets/workspace/result_panels.h"

#include <QAction>
#include <QCoreApplication>
#include <QMenu>
#include <QPersistentModelIndex>
#include <QPushButton>
#include <QSaveFile>
#include <QSettings>
#include <QTreeView>

namespace helio {

namespace {

const QString HistoryKey = QStringLiteral("sql/history");

QString exampleTitle(const SqlExample& example) { return QCoreApplication::translate("SqlExamples", example.title); }

} // namespace

QStringList SqlView::savedHistory() { return QSettings().value(HistoryKey).toStringList().mid(0, MostHistory); }

void SqlView::remember(const QString& query)
{
    if (query.size() > LongestQuery)
        return;
    m_history.removeAll(query);
    m_history.prepend(query);
    m_history = m_history.mid(0, MostHistory);
    QSettings().setValue(HistoryKey, m_history);
}

void SqlView::fillHistory(QMenu& menu)
{
    if (m_history.isEmpty())
        menu.addAction(tr("No query has run yet"))->setEnabled(false);
    for (const QString& query : m_history) {
        QAction* action = menu.addAction(sqlTitle(query).replace(u'&', QStringLiteral("&&")), this, [this, query] {
            setQuery(query);
            m_editor->setFocus(Qt::OtherFocusReason);
        });
        action->setToolTip(wrapTooltip(query));
    }
    menu.setToolTipsVisible(true);
    if (m_history.isEmpty())
        return;
    menu.addSeparator();
    menu.addAction(tr("Clear history"), this, [this] {
        m_history.clear();
        QSettings().setValue(HistoryKey, m_history);
    });
}

QStringList SqlView::examples() const
{
    QStringList titles;
    for (int i = 0; i < int(sqlExamples().size()); ++i)
        if (const auto known = m_exampleFinds.find(i); known != m_exampleFinds.end() && known->second)
            titles << exampleTitle(sqlExamples()[std::size_t(i)]);
    return titles;
}

void SqlView::fillExamples(QMenu& menu)
{
    for (int i = 0; i < int(sqlExamples().size()); ++i) {
        const SqlExample& example = sqlExamples()[std::size_t(i)];
        if (const auto known = m_exampleFinds.find(i); known != m_exampleFinds.end() && known->second)
            menu.addAction(exampleTitle(example), this, [this, query = QString::fromUtf8(example.query)] {
                setQuery(query);
                run();
            });
    }
    if (!menu.isEmpty())
        return;
    const auto timeline = m_context.timeline();
    menu.addAction(!timeline                                          ? tr("No trace is open")
                       : m_exampleFinds.size() < sqlExamples().size() ? tr("Checking\u2026")
                                                                      : tr("No example finds anything in this recording"))
        ->setEnabled(false);
}

void SqlView::fillLimits(QMenu& menu)
{
    const auto choose = [this](std::optional<int> seconds) {
        m_limitSeconds = seconds;
        showProgress();
    };
    addChoices(&menu, m_limitSeconds, {{tr("10 s"), 10}, {tr("1 min"), 60}, {tr("10 min"), 600}, {tr("No limit"), std::nullopt}}, choose);
}

QString SqlView::limitText() const
{
    if (!m_limitSeconds)
        return tr("no limit");
    return *m_limitSeconds % 60 == 0 ? tr("%1 min").arg(*m_limitSeconds / 60) : tr("%1 s").arg(*m_limitSeconds);
}

void SqlView::fillPartitions(QMenu& menu)
{
    const auto& result = m_model.result();
    Shown* shown = panelOf(false) ? panelOf(false) : panelOf(true);
    if (!result || !shown)
        return;
    addExclusiveAction(&menu, tr("One row"), shown->columns.partition.isEmpty(), [this] { setPartition({}); });
    for (const QString& column : result->facts ? result->facts->partitions : QStringList())
        addExclusiveAction(&menu, tr("By %1").arg(column), shown->columns.partition == column, [this, column] { setPartition(column); });
}

void SqlView::fillExports(QMenu& menu)
{
    const qint64 rows = m_model.rowCount();
    QAction* title = menu.addAction(rows == 1 ? tr("Export 1 row") : tr("Export %1 rows").arg(countText(rows)));
    title->setEnabled(false);
    menu.addAction(tr("CSV\u2026"), this, [this] { exportRows(false); });
    menu.addAction(tr("JSON\u2026"), this, [this] { exportRows(true); });
    menu.addSeparator();
    menu.addAction(tr("Copy as text"), this, [this, rows] {
        copyText(m_model.csv());
        m_context.say(rows == 1 ? tr("Copied 1 row") : tr("Copied %1 rows").arg(countText(rows)));
    });
    menu.addAction(tr("Copy as command"), this, [this] { m_context.trigger(QStringLiteral("file.copy-command")); });
}

void SqlView::exportRows(bool isJson)
{
    const auto& result = m_model.result();
    if (!result)
        return;
    const QString path = isJson ? m_context.askPath(tr("Export rows"), QStringLiteral("query.json"), tr("JSON, one object a line (*.json)"))
                                : m_context.askPath(tr("Export rows"), QStringLiteral("query.csv"), tr("CSV (*.csv)"));
    if (path.isEmpty())
        return;
    QSaveFile file(path);
    const QByteArray bytes = isJson ? sqlJson(*result, m_model.listed()) : m_model.csv().toUtf8();
    if (file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit())
        m_context.say(tr("Saved %1 rows to %2").arg(countText(m_model.rowCount()), path));
    else
        m_context.say(tr("Cannot write %1: %2").arg(path, file.errorString()));
}

void SqlView::showMenu(QPoint at)
{
    const QModelIndex index = m_table->indexAt(at);
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (index.isValid()) {
        const std::size_t line = m_model.line(index.row());
        QAction* go = menu->addAction(tr("Go to row"), this, [this, cell = QPersistentModelIndex(index)] { goTo(cell); });
        go->setEnabled(placeOf(*m_model.result(), line) || trackOf(*m_model.result(), line).isValid());
        menu->addSeparator();
    }
    addCopyActions(*menu, *m_table, index);
    menu->popup(m_table->viewport()->mapToGlobal(at));
}

void SqlView::fillOfferedMenus(QMenu& menu)
{
    const auto add = [&](QAction* action) {
        QAction* offered = menu.addAction(action->text(), action, &QAction::trigger);
        offered->setShortcut(action->shortcut());
        offered->setEnabled(action->isEnabled());
    };
    add(m_runAction);
    add(m_cancelAction);
    menu.addSeparator();
    for (QPushButton* button : {m_rows, m_chart}) {
        QAction* offered = menu.addAction(button->text(), button, &QPushButton::click);
        offered->setCheckable(true);
        offered->setChecked(button->isChecked());
        offered->setEnabled(button->isEnabled());
    }
    if (m_model.rowCount() > 0) {
        menu.addAction(tr("Export rows as CSV\u2026"), this, [this] { exportRows(false); });
        menu.addAction(tr("Export rows as JSON\u2026"), this, [this] { exportRows(true); });
    }
    fillExamples(*menu.addMenu(tr("Examples")));
    fillHistory(*menu.addMenu(tr("History")));
}

ShownCommand SqlView::shownCommand() const
{
    // Without a result, the dock shows nothing that a command could print. A report must not wait for a query that was stopped.
    return m_model.result() ? makeSqlCommand(m_model.result()->query) : ShownCommand::none(tr("The query has no result. Run it first."));
}

} // namespace helio
