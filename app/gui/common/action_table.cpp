#include "app/gui/common/action_table.h"

#include "core/query/rows/views.h"
#include "widgets/workspace/view_kind.h"

#include <QStringList>

#include <algorithm>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

namespace {

constexpr auto Window = ActionSpec::Scope::Window;
constexpr auto OnTimeArea = ActionSpec::Scope::TimeArea;

// clang-format off
constexpr ActionSpec MainActions[] = {
    {"file.open", "Open…", "File", 0, "Ctrl+O", "Open traces (files or folders) or a session file", "file", 0, false, Window},
    {"file.open-folder", "Open folder…", "File", 0, "Ctrl+Shift+O", "Open all traces in a folder as one experiment", "folder", 0, false, Window},
    {"file.open-remote", "Open remote…", "File", 0, "Ctrl+Alt+O", "Open a trace on another machine over ssh", "", 0, false, Window},
    {"file.open-fleet", "Open fleet…", "File", 0, "", "Open a catalogue of many traces, to find the one that matters", "", 0, false, Window},
    {"file.reopen-last", "Reopen last session", "File", 0, "Ctrl+Shift+T", "Open what was open when Heliograph last closed", "clock", 0, false, Window},
    {"file.record", "Record…", "File", 0, "Ctrl+R", "Record with perf, LTTng or ftrace and open the recording", "record", 0, false, Window},
    {"file.open-sample", "Open sample trace", "File", 0, "", "Open the small kernel trace that ships with Heliograph", "file", 0, false, Window},
    {"file.save-session", "Save session", "File", 1, "Ctrl+S", "Save traces, visible range, selection, bookmarks and layout to a .heliograph file", "save", 0, false, Window},
    {"file.save-session-as", "Save session as…", "File", 1, "Ctrl+Shift+S", "Save the session to another file", "", 0, false, Window},
    {"file.save-report", "Save report…", "File", 1, "", "Save the visible panels, open docks and bookmarks as one HTML file", "", 0, false, Window},
    {"file.export-png-1x", "Export as PNG at 1×…", "File/Export", 1, "", "Export the current time panel as PNG in its size on screen", "", 0, false, Window},
    {"file.export-png", "Export as PNG at 2×…", "File/Export", 1, "", "Export the current time panel as PNG in twice its size on screen", "", 0, false, Window},
    {"file.export-png-4x", "Export as PNG at 4×…", "File/Export", 1, "", "Export the current time panel as PNG in four times its size on screen", "", 0, false, Window},
    {"file.export-svg", "Export as SVG…", "File/Export", 1, "", "Export the current time panel as SVG", "", 0, false, Window},
    {"file.export-csv", "Export table as CSV…", "File/Export", 1, "", "Export all rows of the current table as CSV", "", 0, false, Window},
    {"file.export-recording", "Export recording…", "File/Export", 1, "", "Export the recording, or a part of it, for another tool", "", 0, false, Window},
    {"file.copy-command", "Copy as command", "File/Export", 2, "", "Copy the command line for the current dock or panel", "", 0, false, Window},
    {"file.cancel", "Stop loading", "File", 2, "", "Stop indexing; keep what has been read", "close", 0, false, Window},
    {"file.reload", "Reload", "File", 2, "F5", "Reload the open traces", "", 0, false, Window},
    {"file.recordings", "Choose recordings…", "File", 2, "", "Open only some of the recordings in the archive or folder", "", 0, false, Window},
    {"file.symbols", "Symbol paths…", "File", 2, "", "Set where to find binaries, libraries and the recorded kernel's symbols", "", 0, false, Window},
    {"file.close", "Close", "File", 2, "Ctrl+W", "Close the experiment", "", 0, false, Window},
    {"file.quit", "Quit", "File", 3, "Ctrl+Q", "Quit Heliograph", "", 0, false, Window},

    {"edit.undo", "Undo", "Edit", 0, "Ctrl+Z", "Undo the last change to rows, panels, filters, bookmarks or hosts; Back undoes moves", "", 0, false, Window},
    {"edit.redo", "Redo", "Edit", 0, "Ctrl+Shift+Z", "Redo the change that was undone last", "", 0, false, Window},
    {"edit.copy", "Copy", "Edit", 1, "Ctrl+C", "Copy the selected text, rows or events; in the timeline, the selected state", "", 0, false, Window},
    {"analyse.search", "Find…", "Edit", 2, "Ctrl+F /", "Search the flame graph or the functions if they have the focus, else the events, by name, field or "
                                                      "expression: name == \"sched_switch\" && next_tid == 42", "search", 0, false, Window},
    {"analyse.next-hit", "Next hit", "Edit", 2, "F3", "Go to the next event found", "", 0, false, Window},
    {"analyse.previous-hit", "Previous hit", "Edit", 2, "Shift+F3", "Go to the previous event found", "", 0, false, Window},
    {"analyse.clear-search", "Clear search", "Edit", 2, "Ctrl+Shift+F", "Remove the marks of the search", "", 0, false, Window},

    {"view.zoom-in", "Zoom in", "View", 0, "W + = Ctrl++", "Zoom in at the cursor", "zoom-in", 0, false, Window},
    {"view.zoom-out", "Zoom out", "View", 0, "S - Ctrl+-", "Zoom out around the cursor", "zoom-out", 0, false, Window},
    {"view.pan-left", "Pan left", "View", 0, "A Shift+Left", "Show earlier times", "", 0, false, Window},
    {"view.pan-right", "Pan right", "View", 0, "D Shift+Right", "Show later times", "", 0, false, Window},
    {"view.fit", "Zoom to fit", "View", 0, "F Ctrl+0", "Show the selected range; press again for the whole experiment, and again to return", "fit", 3, false, Window},
    {"view.zoom-selection", "Zoom to selection", "View", 0, "Z", "Show only the selected range", "zoom-in", 4, false, Window},
    {"view.clear-selection", "Clear selection", "View", 0, "Esc", "Deselect the time range; statistics then cover the visible range", "", 0, false, OnTimeArea},
    {"view.arrows", "Show arrows", "View", 1, "Shift+A", "Draw wake-ups and other links between rows", "arrows", 6, true, Window},
    {"view.resting", "Hide idle threads", "View", 1, "H", "Hide rows that only sleep, wait or idle in the visible range", "", 0, true, Window},
    {"view.list", "List threads by CPU time", "View", 1, "L", "List all threads without the tree, busiest first; press again for the tree", "", 0, false, Window},
    {"view.pin", "Pin selected row", "View", 1, "P", "Keep the row at the top of its panel while scrolling; press again to unpin", "pin", 0, false, Window},
    {"view.switches", "Show context-switch arrows", "View", 1, "", "Draw which thread took over a CPU from which", "", 0, true, Window},
    {"view.light", "Dim everything off the critical path", "View", 1, "Shift+K", "While a critical path is shown, dim thread and CPU rows except where they are on it or wait for it", "", 0, true, Window},
    {"view.only-path", "Show only rows on the critical path", "View", 1, "Shift+H", "While a critical path is shown, hide the rows that it does not cross", "", 0, true, Window},
    {"view.side-docks", "Side docks", "View/Docks", 1, "F9", "Show or hide the docks on the right", "split", 7, true, Window},
    {"view.bottom-docks", "Bottom docks", "View/Docks", 1, "F10", "Show or hide the docks at the bottom", "", 0, true, Window},
    {"view.theme-desktop", "Follow desktop", "View/Theme", 0, "", "Use the desktop's dark or light theme", "", 0, true, Window},
    {"view.theme-dark", "Dark", "View/Theme", 0, "", "Light text on a dark background", "", 0, true, Window},
    {"view.theme-light", "Light", "View/Theme", 0, "", "Dark text on a light background", "", 0, true, Window},
    {"view.density-compact", "Compact", "View/Density", 0, "", "Rows 14 pixels high", "", 0, true, Window},
    {"view.density-normal", "Normal", "View/Density", 0, "", "Rows 20 pixels high", "", 0, true, Window},
    {"view.density-roomy", "Comfortable", "View/Density", 0, "", "Rows 28 pixels high", "", 0, true, Window},
    {"view.time-local", "Local time", "View/Time format", 0, "", "Wall-clock time in the local time zone", "", 0, true, Window},
    {"view.time-utc", "UTC", "View/Time format", 0, "", "Wall-clock time in UTC", "", 0, true, Window},
    {"view.time-relative", "Relative", "View/Time format", 0, "", "Seconds since the first event", "", 0, true, Window},
    {"view.full-screen", "Full screen", "View", 2, "F11", "Use the whole screen", "", 0, true, Window},

    {"go.back", "Back", "Go", 0, "Alt+Left", "Previous location", "back", 1, false, Window},
    {"go.forward", "Forward", "Go", 0, "Alt+Right", "Next location", "forward", 2, false, Window},
    {"go.time", "Go to time…", "Go", 0, "Ctrl+G", "12:34:56.789012345, +1.5s from the start, ns since the epoch, or a range: +2s .. +2.5s", "clock", 0, false, Window},
    {"go.copy-time", "Copy cursor time (ns)", "Go", 0, "", "Copy the cursor’s time in nanoseconds", "", 0, false, Window},
    {"go.copy-link", "Copy link", "Go", 0, "", "Copy the command that opens these traces at this time, range and row", "", 0, false, Window},
    {"go.previous-state", "Previous state change", "Go", 1, "Left", "Go to the selected row's previous state change; pan left if no row is selected", "", 0, false, OnTimeArea},
    {"go.next-state", "Next state change", "Go", 1, "Right", "Go to the selected row's next state change; pan right if no row is selected", "", 0, false, OnTimeArea},
    {"go.previous-event", "Previous event in row", "Go", 1, "Ctrl+Left", "Move through the events of the selected thread or CPU", "", 0, false, OnTimeArea},
    {"go.next-event", "Next event in row", "Go", 1, "Ctrl+Right", "Move through the events of the selected thread or CPU", "", 0, false, OnTimeArea},
    {"go.next-arrow", "Follow next arrow", "Go", 1, ".", "Go to the other end of the selected row's next wake-up, packet or migration", "", 0, false, Window},
    {"go.previous-arrow", "Follow previous arrow", "Go", 1, ",", "Go to the other end of the selected row's previous wake-up, packet or migration; in a wait, to the "
                                                                     "waker", "", 0, false, Window},
    {"go.why", "Explain this wait", "Go", 1, "Y", "Show step by step what the selected thread waited for at the cursor", "", 0, false, Window},
    {"go.critical-path", "Show critical path", "Go", 1, "Shift+Y", "Show where the selected thread's time went, across threads and hosts, in the selected range or its "
                                                                            "lifetime", "", 0, false, Window},
    {"go.waited-for", "Show critical path as flame graph", "Go", 1, "", "Show the selected thread's critical path as a flame graph, with what to speed up", "", 0, false, Window},
    {"go.no-critical-path", "Hide critical path", "Go", 1, "", "Close the Critical path panel", "", 0, false, Window},
    {"go.previous-stretch", "Previous segment", "Go", 1, "<", "Go to where the critical path was before, on any thread or host", "", 0, false, Window},
    {"go.next-stretch", "Next segment", "Go", 1, ">", "Go to where the critical path continues, on any thread or host", "", 0, false, Window},
    {"go.counterpart", "Jump between thread and CPU", "Go", 1, "C", "Go from a thread to its CPU at the cursor, or from a CPU to the thread it runs", "", 0, false, Window},
    {"go.follow", "Follow thread or CPU", "Go", 1, "Shift+C", "As the cursor moves, highlight the selected thread's CPU, or the selected CPU's thread, and keep it "
                                                                  "in view", "", 0, true, Window},
    {"go.previous-row", "Previous row", "Go", 1, "Up", "Select the row above", "", 0, false, OnTimeArea},
    {"go.next-row", "Next row", "Go", 1, "Down", "Select the row below", "", 0, false, OnTimeArea},
    {"go.next-call", "Next call of function", "Go", 2, "N", "Move through the calls of the function at the cursor in the selected row, from any caller", "", 0, false, Window},
    {"go.previous-call", "Previous call of function", "Go", 2, "Shift+N", "Move through the calls of the function at the cursor in the selected row, from any caller", "", 0, false, Window},
    {"go.longest-call", "Longest call of function", "Go", 2, "Shift+L", "Search the whole experiment for calls of the function at the cursor in the selected row", "", 0, false, Window},
    {"go.shortest-call", "Shortest call of function", "Go", 2, "Shift+S", "Search the whole experiment for calls of the function at the cursor in the selected row", "", 0, false, Window},
    {"go.typical-call", "Median call of function", "Go", 2, "Shift+T", "Go to the call with the median duration: half of the calls are shorter, half longer", "", 0, false, Window},
    {"go.source", "Show source", "Go", 2, "F4", "Show the source of the function at the cursor in the selected row", "", 0, false, Window},
    {"go.bookmark", "Add bookmark", "Go", 3, "M", "Bookmark the cursor or the selected range", "bookmark", 5, false, Window},
    {"go.bookmark-name", "Add named bookmark…", "Go", 3, "Shift+M", "Bookmark the cursor or the selected range", "", 0, false, Window},
    {"go.marker-a", "Set marker A", "Go", 3, "[", "Set it at the cursor; press again to remove it. The ruler and the status bar show the time from A "
                                                  "to B", "", 0, false, Window},
    {"go.marker-b", "Set marker B", "Go", 3, "]", "Set it at the cursor; press again to remove it. The ruler and the status bar show the time from A "
                                                  "to B", "", 0, false, Window},
    {"go.previous-bookmark", "Previous bookmark", "Go", 3, "Alt+Up", "Go to the bookmark before the cursor", "", 0, false, Window},
    {"go.next-bookmark", "Next bookmark", "Go", 3, "Alt+Down", "Go to the bookmark after the cursor", "", 0, false, Window},

    {"analyse.filter", "Filter events…", "Analysis", 1, "Ctrl+L", "List only events that match an expression", "filter", 0, false, Window},
    {"analyse.filter-rows", "Filter rows…", "Analysis", 1, "Ctrl+Shift+L", "Show only rows whose name or number matches, with their parents", "", 0, false, Window},
    {"analyse.sql", "Query in SQL", "Analysis", 1, "Ctrl+Shift+Q", "Ask about threads, states, slices and events in SQL", "", 0, false, Window},
    {"clocks.same-moment", "Match two events…", "Analysis/Clocks", 0, "Ctrl+Shift+E", "Align two hosts: choose an event here, then the matching event on another host; Esc cancels", "", 0, false, Window},
    {"clocks.align", "Align all hosts again", "Analysis/Clocks", 0, "", "Discard manual settings and restore the computed clocks", "", 0, false, Window},
    {"clocks.import", "Import clocks…", "Analysis/Clocks", 1, "", "Read the hosts' clocks from a file, as --sync does", "", 0, false, Window},
    {"clocks.export", "Export clocks…", "Analysis/Clocks", 1, "", "Write the hosts' clocks to a file for --sync", "", 0, false, Window},
    {"analyse.new", "New analysis…", "Analysis", 3, "", "Create a working analysis with explanations and open it in your editor", "file", 0, false, Window},
    {"analyse.load", "Load analysis file…", "Analysis", 3, "", "Run the analyses of an XML file on the open traces, whatever traces they are meant for", "", 0, false, Window},
    {"analyse.folder", "Open analysis folder", "Analysis", 3, "", "Open the folder whose XML files are loaded as analyses", "folder", 0, false, Window},

    {"compare.with-files", "Compare with files…", "Compare", 0, "Ctrl+Shift+C", "Open another trace as B beside this one (A), on one time axis", "", 0, false, Window},
    {"compare.with-folder", "Compare with folder…", "Compare", 0, "", "Open all traces in a folder as B beside this one (A)", "", 0, false, Window},
    {"compare.hold", "Set as A", "Compare", 1, "Ctrl+Shift+A", "Keep the selected range, thread or call as A for the next comparison", "", 0, false, Window},
    {"compare.with-held", "Compare with A", "Compare", 1, "Ctrl+Shift+B", "Show two ranges, threads or calls of one experiment side by side", "", 0, false, Window},
    {"compare.calls", "Compare slow and fast calls…", "Compare", 2, "", "Show where slow calls of the function at the cursor spent their time, and what they called", "", 0, false, Window},

    {"help.palette", "Command palette…", "Help", 0, "Ctrl+K Ctrl+Shift+P", "Find commands (>), rows (@) and times (:), or all of them without a prefix", "search", 0, false, Window},
    {"help.habits", "Keyboard shortcuts", "Help", 0, "? F1", "All shortcuts", "question", 0, false, Window},
    {"help.guide", "Guide", "Help", 0, "", "Open the user guide", "", 0, false, Window},
    {"help.about", "About Heliograph", "Help", 1, "", "Show version and licence", "", 0, false, Window},
};

constexpr GestureSpec Gestures[] = {
    {"Wheel", "Scroll rows"},
    {"Ctrl+wheel", "Zoom at the pointer"},
    {"Shift+wheel", "Pan in time"},
    {"Ctrl+Shift+wheel", "Change row density"},
    {"Left drag", "Select a time range in a panel or on the ruler; Shift or Alt snaps its edges to state boundaries"},
    {"Ctrl + left drag", "Select a box: a time range and the rows it crosses, to hide, pin or copy them together"},
    {"Middle drag, Space + left drag", "Pan"},
    {"Right drag", "Zoom to the dragged range"},
    {"Click", "Set the cursor; select the row and the state under it"},
    {"Double-click a state", "Zoom to that state"},
    {"Drag the brush in the overview", "Move the visible range; drag its edges to resize it"},
    {"Click an arrow", "Show both ends and the link's data in Details"},
    {"Ctrl + left drag on a host, or on its lane in the overview", "Shift the host’s clock and everything on it; Shift or Alt snaps to the offset found from packets; "
                                                                   "Esc restores it"},
    {"Right-click a host", "Change its name, colour or position"},
    {"Drag beside the brush", "Show the dragged range"},
    {"Drag a panel’s header", "Move the panel among the panels"},
    {"Point at a row’s name", "Show a pin that keeps the row at the top of its panel; drag pinned rows to sort them"},
};
// clang-format on

} // namespace

namespace {

/// Returns all actions: the fixed table MainActions, and actions that show and hide each built-in panel and dock. Actions for panels and
/// docks are inserted before the fixed actions of the menu View/Docks.
std::vector<ActionSpec> withViews()
{
    static std::deque<std::string> ids; // Static storage for ids, because ActionSpec has only pointers to texts.
    const auto kept = [](std::string text) { return ids.emplace_back(std::move(text)).c_str(); };
    std::vector<const ViewKind*> docks(builtinViews().begin(), builtinViews().end());
    std::ranges::sort(docks, {}, &ViewKind::menuOrder);
    std::vector<ActionSpec> views;
    for (const TrackView& it : basicViews())
        views.push_back({kept("view.panel-" + it.id), kept(it.title), PanelMenu, 0, "", kept(it.tip), "", 0, true, Window});
    for (const ViewKind* it : docks)
        views.push_back({kept(std::string("view.") + it->id), it->title, "View/Docks", 0, it->shortcut, it->tip, "", 0, false, Window});
    std::vector<ActionSpec> all(std::begin(MainActions), std::end(MainActions));
    const auto switches = std::ranges::find_if(all, [](const ActionSpec& it) { return std::string_view(it.menu) == "View/Docks"; });
    all.insert(switches, views.begin(), views.end());
    return all;
}

} // namespace

std::span<const ActionSpec> actionTable()
{
    static const std::vector<ActionSpec> all = withViews();
    return all;
}

std::span<const GestureSpec> gestureTable() { return Gestures; }

QList<QKeySequence> shortcutsOf(const ActionSpec& action)
{
    QList<QKeySequence> result;
    for (const QString& text : QString::fromUtf8(action.shortcuts).split(' ', Qt::SkipEmptyParts))
        result << (text == "," ? QKeySequence(Qt::Key_Comma) : QKeySequence(text, QKeySequence::PortableText));
    return result;
}

QString shortcutText(const ActionSpec& action)
{
    QStringList names;
    for (const QKeySequence& keys : shortcutsOf(action))
        names << keys.toString(QKeySequence::NativeText);
    return names.join(", ");
}

} // namespace helio
