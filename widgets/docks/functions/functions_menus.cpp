// Menus of the Functions dock, and saving its choices in session files.

#include "widgets/controls/copy_text.h"
#include "widgets/controls/menus.h"
#include "widgets/controls/pill.h"
#include "widgets/controls/table_copy.h"
#include "widgets/docks/functions/functions_view.h"
#include "widgets/flame/frame/flame_head.h"
#include "widgets/flame/view/frame_text.h"
#include "widgets/profiling/sample_text.h"
#include "widgets/time/time_format.h"
#include "widgets/workspace/sql_requests.h"

#include <QJsonArray>
#include <QLineEdit>
#include <QMenu>
#include <QTreeView>

#include <algorithm>

namespace helio {

namespace {

using Group = FunctionGroup;

constexpr FileWord<Group> Groups[] = {{Group::Function, "function"}, {Group::Module, "module"}, {Group::File, "file"},
                                      {Group::Line, "line"},         {Group::Thread, "thread"}, {Group::Process, "process"}};
constexpr int MostEvents = 16; ///< Maximum number of events in FunctionChoices::events; limited because each event has three columns.

QString groupText(Group group)
{
    switch (group) {
    case Group::Module: return FunctionsView::tr("Shared objects");
    case Group::File: return FunctionsView::tr("Source files");
    case Group::Line: return FunctionsView::tr("Source lines");
    case Group::Thread: return FunctionsView::tr("Threads");
    case Group::Process: return FunctionsView::tr("Processes");
    default: return FunctionsView::tr("Functions");
    }
}

} // namespace

void FunctionsView::fillGroupMenu(QMenu* menu)
{
    menu->addSection(tr("Group by"));
    for (const auto& [group, word] : Groups)
        addChoices(menu, m_choices.group, {{groupText(group), group}},
                   [this](Group chosen) { change([chosen](FunctionChoices& it) { it.group = chosen; }); });
}

void FunctionsView::fillOfferedMenus(QMenu& menu)
{
    fillGroupMenu(menu.addMenu(tr("Group by")));
    fillKinds(menu.addMenu(kindsHeading(m_samples.kinds())));
    fillColumns(menu.addMenu(tr("Add columns for")));
    for (Pill* pill : {m_byCommand, m_byThread, m_byCpu, m_callees})
        if (m_head->isShown(pill)) {
            QAction* action = menu.addAction(pill->text(), pill, &QAbstractButton::click);
            action->setCheckable(true);
            action->setChecked(pill->isChecked());
        }
}

void FunctionsView::fillEventMenu(QMenu* menu)
{
    menu->addSection(kindsHeading(m_samples.kinds()));
    fillKinds(menu);
    menu->addSection(tr("Add columns for"));
    fillColumns(menu);
}

/// Adds the events to a menu; the chosen event applies to all views.
void FunctionsView::fillKinds(QMenu* menu)
{
    for (const SampleKindFacts& it : m_samples.kinds())
        addExclusiveAction(menu, kindLine(it), it.kind.name == m_samples.kind(), [this, name = it.kind.name] { m_samples.setKind(name); });
}

/// Adds menu items for all events except the event that all views show; each item shows or hides the event's columns in this table.
void FunctionsView::fillColumns(QMenu* menu)
{
    for (const SampleKindFacts& it : m_samples.kinds()) {
        if (it.kind.name == m_samples.kind())
            continue;
        QAction* action = menu->addAction(kindLine(it));
        action->setCheckable(true);
        action->setChecked(std::ranges::count(m_choices.events, it.kind.name) > 0);
        connect(action, &QAction::toggled, this, [this, name = it.kind.name](bool isOn) {
            change([&](FunctionChoices& choices) {
                std::erase(choices.events, name);
                if (isOn)
                    choices.events.push_back(name);
            });
        });
    }
}

void FunctionsView::showMenu(QTreeView& table, const SampledFunction& chosen, QPoint at)
{
    const SampledFunction function = chosen; // Copied, because the table may change while the menu is open.
    auto* menu = new QMenu(&table);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    using Wish = SampleModel::FlameGraphRequest;
    const auto add = [&](const QString& text, const std::function<void()>& run) {
        menu->addAction(text, this, run)->setEnabled(function.code != CodeKind::Thread);
    };
    add(tr("Open source"), [this, function] { m_samples.openSource(function); });
    add(tr("Show callers and callees in the flame graph (sandwich)"),
        [this, function] { m_samples.askFlameGraph(Wish::Sandwich, function); });
    if (m_samples.showsCalls())
        add(tr("Show durations of %1").arg(frameLabel(function)), [this, function] {
            m_samples.chooseFunction(function);
            m_samples.context().showView("durations");
        });
    if (m_samples.showsCalls())
        add(tr("Compare slow and fast calls\u2026"), [this, function] { m_samples.compareCalls(function); });
    menu->addSeparator();
    add(tr("Hide in the flame graph"), [this, function] { m_samples.askFlameGraph(Wish::HideFunction, function); });
    if (!function.module.empty())
        add(tr("Hide module %1 in the flame graph").arg(QString::fromStdString(function.module)),
            [this, function] { m_samples.askFlameGraph(Wish::HideModule, function); });
    menu->addSeparator();
    menu->addAction(tr("Copy name"), this, [function] { copyText(frameLabel(function)); });
    if (m_samples.showsCalls() && function.code != CodeKind::Thread)
        addSqlAction(*menu, m_samples.context(),
                     QStringLiteral("-- Calls of %1\nSELECT ts, dur, slice.name, thread.name AS thread, utid, track_id, depth\n"
                                    "FROM slice\nJOIN thread_track ON thread_track.id = track_id\nJOIN thread USING (utid)\n"
                                    "WHERE type = 'call' AND slice.name = %2\nORDER BY dur DESC")
                         .arg(QString::fromStdString(function.name).replace(u'\n', u' '), sqlText(QString::fromStdString(function.name))));
    addCopyActions(*menu, table, table.indexAt(table.viewport()->mapFromGlobal(at)));
    menu->popup(at);
}

void FunctionsView::change(const std::function<void(FunctionChoices&)>& edit)
{
    FunctionChoices choices = m_choices;
    edit(choices);
    setChoices(std::move(choices));
}

void FunctionsView::setChoices(FunctionChoices choices)
{
    if (!hasModules(choices.group)) // Threads and processes cannot be split further, so the choices to split lines are reset.
        choices.byCommand = choices.byThread = choices.byCpu = false;
    m_choices = std::move(choices);
    showState();
    build();
}

/// Returns m_choices, but only with events that exist in the recording, and without the event that all sample views show, which needs no
/// additional columns.
FunctionChoices FunctionsView::choicesNow() const
{
    FunctionChoices choices = m_choices;
    std::erase_if(choices.events, [this](const std::string& name) {
        return name == m_samples.kind()
            || std::ranges::none_of(m_samples.kinds(), [&](const SampleKindFacts& it) { return it.kind.name == name; });
    });
    return choices;
}

void FunctionsView::showChoices()
{
    m_group->setText(groupText(m_choices.group));
    const std::size_t beside = choicesNow().events.size();
    const QString kind = m_samples.kindTitle();
    m_events->setText(beside == 0 ? kind : tr("%1 and %2 more").arg(kind).arg(beside));
    m_head->setShown(m_events, !kind.isEmpty());
    m_head->refresh();
    for (const auto& [pill, isOn] :
         {std::pair(m_byCommand, m_choices.byCommand), std::pair(m_byThread, m_choices.byThread), std::pair(m_byCpu, m_choices.byCpu)}) {
        m_head->setShown(pill, hasModules(m_choices.group));
        pill->setChecked(isOn);
    }
}

ShownCommand FunctionsView::shownCommand() const
{
    if (!m_filter->text().trimmed().isEmpty())
        return ShownCommand::none(tr("No command filters functions as this dock does. Clear its filter first."));
    ShownCommand command = m_samples.sampleCommand();
    if (command.words.isEmpty())
        return command;
    const FunctionChoices choices = choicesNow();
    command.words << "--table";
    if (choices.group != Group::Function)
        command.words << "--group" << fileWord(choices.group, Groups);
    // Without --base, the command line splits functions by command. The dock does so only if the user chose it (byCommand).
    if (hasModules(choices.group) && !choices.byCommand)
        command.words << "--base" << (choices.byThread ? "thread" : choices.byCpu ? "cpu" : "none");
    for (const std::string& event : choices.events)
        command.words += optionWords("--with", QString::fromStdString(event));
    return command;
}

QJsonObject FunctionsView::save() const
{
    QJsonArray events;
    for (const std::string& name : m_choices.events)
        events << QString::fromStdString(name);
    return {{"group", fileWord(m_choices.group, Groups)},
            {"byCommand", m_choices.byCommand},
            {"byThread", m_choices.byThread},
            {"byCpu", m_choices.byCpu},
            {"events", events}};
}

void FunctionsView::restore(const QJsonObject& kept)
{
    FunctionChoices choices;
    choices.group = valueOf(kept["group"], Groups);
    choices.byCommand = kept["byCommand"].toBool();
    choices.byThread = kept["byThread"].toBool() && !choices.byCommand;
    choices.byCpu = kept["byCpu"].toBool() && !choices.byCommand && !choices.byThread;
    const QJsonArray events = kept["events"].toArray();
    for (int i = 0; i < std::min<int>(MostEvents, events.size()); ++i)
        if (events[i].isString())
            choices.events.push_back(events[i].toString().toStdString());
    setChoices(std::move(choices));
}

} // namespace helio
