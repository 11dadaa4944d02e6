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
constexpr ActionSpec Actions[] = {
    {"file.open", "Open…", "File", 0, "Ctrl+O", "Opens traces, each a file or a folder, or a session file", "file", 0, false, Window},
    {"file.open-folder", "Open folder…", "File", 0, "Ctrl+Shift+O", "Opens all traces in a folder as one experiment", "folder", 0, false, Window},
    {"file.reopen-last", "Open the last session", "File", 0, "Ctrl+Shift+T", "Opens what was open when the program ended last", "clock", 0, false, Window},
    {"file.open-sample", "Open the sample trace", "File", 0, "", "A small kernel trace that comes with the program", "file", 0, false, Window},
    {"file.save-session", "Save session", "File", 1, "Ctrl+S", "Saves traces, window, selection, bookmarks and layout to a .heliograph file", "save", 0, false, Window},
    {"file.save-session-as", "Save session as…", "File", 1, "Ctrl+Shift+S", "Saves the session to another file", "", 0, false, Window},
    {"file.export-png", "Export as PNG…", "File/Export", 1, "", "Export the current time panel as PNG", "", 0, false, Window},
    {"file.export-svg", "Export as SVG…", "File/Export", 1, "", "Export the current time panel as SVG", "", 0, false, Window},
    {"file.export-csv", "Export table as CSV…", "File/Export", 1, "", "Export all rows of the current table as CSV", "", 0, false, Window},
    {"file.copy-command", "Copy as command", "File/Export", 2, "", "Copy the command line for the current dock or panel", "", 0, false, Window},
    {"file.cancel", "Stop reading", "File", 2, "", "Stops indexing; what is known stays", "close", 0, false, Window},
    {"file.reload", "Read again", "File", 2, "F5", "Opens the same traces again", "", 0, false, Window},
    {"file.symbols", "Symbols…", "File", 2, "", "Where programs, libraries and the recorded kernel's symbols lie", "", 0, false, Window},
    {"file.close", "Close", "File", 2, "Ctrl+W", "Closes the experiment", "", 0, false, Window},
    {"file.quit", "Quit", "File", 3, "Ctrl+Q", "Ends the program", "", 0, false, Window},

    {"view.zoom-in", "Zoom in", "View", 0, "W + = Ctrl++", "Zooms in at the cursor", "zoom-in", 0, false, Window},
    {"view.zoom-out", "Zoom out", "View", 0, "S - Ctrl+-", "Zooms out around the cursor", "zoom-out", 0, false, Window},
    {"view.pan-left", "Pan left", "View", 0, "A Shift+Left", "Moves the window to earlier times", "", 0, false, Window},
    {"view.pan-right", "Pan right", "View", 0, "D Shift+Right", "Moves the window to later times", "", 0, false, Window},
    {"view.fit", "Fit the whole experiment", "View", 0, "F Ctrl+0", "Shows the whole experiment; again: returns", "fit", 3, false, Window},
    {"view.zoom-selection", "Zoom to the selected range", "View", 0, "Z", "Shows the selected range alone", "zoom-in", 4, false, Window},
    {"view.clear-selection", "Clear the selected range", "View", 0, "Esc", "Statistics then speak of the visible window", "", 0, false, OnTimeArea},
    {"view.arrows", "Show arrows", "View", 1, "Shift+A", "Draws wake-ups and other links between rows", "arrows", 6, true, Window},
    {"view.resting", "Hide threads at rest", "View", 1, "H", "Rows that do nothing but sleep, wait or idle in the visible window are hidden", "", 0, true, Window},
    {"view.list", "List threads by CPU time", "View", 1, "L", "All threads one below the other, the busiest first; again: the tree", "", 0, false, Window},
    {"view.pin", "Pin the selected row", "View", 1, "P", "The row stays on top of its panel whatever is scrolled; again: no longer", "pin", 0, false, Window},
    {"view.switches", "Show switches", "View", 1, "", "Draws which thread got a CPU after which", "", 0, true, Window},
    {"view.light", "Fade what is not on the critical path", "View", 1, "Shift+K", "While a critical path is shown, the rows of threads and CPUs are at full strength only where they are on it or wait for it", "", 0, true, Window},
    {"view.side-docks", "Side docks", "View/Docks", 1, "F9", "Shows or hides the docks at the right", "split", 7, true, Window},
    {"view.bottom-docks", "Bottom docks", "View/Docks", 1, "F10", "Shows or hides the docks below", "", 0, true, Window},
    {"view.theme-desktop", "Follow the desktop", "View/Theme", 0, "", "Dark or light as the desktop is", "", 0, true, Window},
    {"view.theme-dark", "Dark", "View/Theme", 0, "", "Light on dark", "", 0, true, Window},
    {"view.theme-light", "Light", "View/Theme", 0, "", "Dark on light", "", 0, true, Window},
    {"view.density-compact", "Compact", "View/Density", 0, "", "Rows 14 high", "", 0, true, Window},
    {"view.density-normal", "Normal", "View/Density", 0, "", "Rows 20 high", "", 0, true, Window},
    {"view.density-roomy", "Roomy", "View/Density", 0, "", "Rows 28 high", "", 0, true, Window},
    {"view.time-local", "Local time", "View/Times", 0, "", "Times of day, here", "", 0, true, Window},
    {"view.time-utc", "UTC", "View/Times", 0, "", "Times of day, universal", "", 0, true, Window},
    {"view.time-relative", "From the start", "View/Times", 0, "", "Seconds since the first event", "", 0, true, Window},
    {"view.full-screen", "Full screen", "View", 2, "F11", "Uses the whole screen", "", 0, true, Window},

    {"go.back", "Back", "Go", 0, "Alt+Left", "To the place before", "back", 1, false, Window},
    {"go.forward", "Forward", "Go", 0, "Alt+Right", "To the place after", "forward", 2, false, Window},
    {"go.time", "Go to time…", "Go", 0, "Ctrl+G", "12:34:56.789012345, +1.5s from the start, or ns since the epoch", "clock", 0, false, Window},
    {"go.copy-time", "Copy cursor time (ns)", "Go", 0, "", "Copies the cursor’s time in nanoseconds", "", 0, false, Window},
    {"go.previous-state", "Previous state change", "Go", 1, "Left", "Of the selected row; pans left where no row is selected", "", 0, false, OnTimeArea},
    {"go.next-state", "Next state change", "Go", 1, "Right", "Of the selected row; pans right where no row is selected", "", 0, false, OnTimeArea},
    {"go.previous-event", "Previous event of the row", "Go", 1, "Ctrl+Left", "Of the selected thread or CPU", "", 0, false, OnTimeArea},
    {"go.next-event", "Next event of the row", "Go", 1, "Ctrl+Right", "Of the selected thread or CPU", "", 0, false, OnTimeArea},
    {"go.next-arrow", "Follow the next arrow", "Go", 1, ".", "To the other end of the next wake-up, packet or migration of the selected row", "", 0, false, Window},
    {"go.previous-arrow", "Follow the previous arrow", "Go", 1, ",", "To the other end of the previous wake-up, packet or migration of the selected row; in a wait to who ended it", "", 0, false, Window},
    {"go.why", "Why did it wait?", "Go", 1, "Y", "What the wait of the selected thread at the cursor was for, step by step: the dock Why it waited", "", 0, false, Window},
    {"go.critical-path", "Critical path of the thread", "Go", 1, "Shift+Y", "Where the time of the selected thread went, in the selected range or its life, on whichever thread or host it waited for", "", 0, false, Window},
    {"go.waited-for", "What the thread waited for", "Go", 1, "", "The critical path of the selected thread as a flame graph, and what would have to be quicker: the dock What it waited for", "", 0, false, Window},
    {"go.no-critical-path", "Hide the critical path", "Go", 1, "", "Takes the panel Critical path away", "", 0, false, Window},
    {"go.previous-stretch", "Previous stretch of the path", "Go", 1, "<", "To where the critical path was before, on whichever thread or host that is", "", 0, false, Window},
    {"go.next-stretch", "Next stretch of the path", "Go", 1, ">", "To where the critical path goes on, on whichever thread or host that is", "", 0, false, Window},
    {"go.counterpart", "Between thread and CPU", "Go", 1, "C", "From a thread to the CPU it has at the cursor, from a CPU to the thread it runs", "", 0, false, Window},
    {"go.follow", "Follow the thread or CPU", "Go", 1, "Shift+C", "While the cursor moves, the CPU of the selected thread, or the thread of the selected CPU, is lit and kept in view", "", 0, true, Window},
    {"go.previous-row", "Previous row", "Go", 1, "Up", "Selects the row above", "", 0, false, OnTimeArea},
    {"go.next-row", "Next row", "Go", 1, "Down", "Selects the row below", "", 0, false, OnTimeArea},
    {"go.next-call", "Next call of the function", "Go", 2, "N", "Of the function that the selected row is in at the cursor, by any caller", "", 0, false, Window},
    {"go.previous-call", "Previous call of the function", "Go", 2, "Shift+N", "Of the function that the selected row is in at the cursor, by any caller", "", 0, false, Window},
    {"go.longest-call", "Longest call of the function", "Go", 2, "Shift+L", "Of the function that the selected row is in at the cursor, in the whole experiment", "", 0, false, Window},
    {"go.shortest-call", "Shortest call of the function", "Go", 2, "Shift+S", "Of the function that the selected row is in at the cursor, in the whole experiment", "", 0, false, Window},
    {"go.typical-call", "Typical call of the function", "Go", 2, "Shift+T", "The median: as many of the function's calls are shorter as are longer", "", 0, false, Window},
    {"go.source", "Source of the function", "Go", 2, "F4", "The lines of the function that the selected row is in at the cursor", "", 0, false, Window},
    {"go.bookmark", "Put a bookmark", "Go", 3, "M", "At the cursor or on the selected range", "bookmark", 5, false, Window},
    {"go.bookmark-name", "Put a bookmark with a name…", "Go", 3, "Shift+M", "At the cursor or on the selected range", "", 0, false, Window},
    {"go.marker-a", "Put marker A", "Go", 3, "[", "At the cursor; again: takes it away. The ruler and the status bar say how far B is from A", "", 0, false, Window},
    {"go.marker-b", "Put marker B", "Go", 3, "]", "At the cursor; again: takes it away. The ruler and the status bar say how far B is from A", "", 0, false, Window},
    {"go.previous-bookmark", "Previous bookmark", "Go", 3, "Alt+Up", "To the bookmark before the cursor", "", 0, false, Window},
    {"go.next-bookmark", "Next bookmark", "Go", 3, "Alt+Down", "To the bookmark after the cursor", "", 0, false, Window},

    {"analyse.search", "Search…", "Analyse", 0, "Ctrl+F /", "In the flame graph and the functions: theirs. Else the events, by names, fields and expressions: name == \"sched_switch\" && next_tid == 42", "search", 0, false, Window},
    {"analyse.next-hit", "Next hit", "Analyse", 0, "F3", "To the next event that the search found", "", 0, false, Window},
    {"analyse.previous-hit", "Previous hit", "Analyse", 0, "Shift+F3", "To the event that the search found before", "", 0, false, Window},
    {"analyse.clear-search", "Clear the search", "Analyse", 0, "Ctrl+Shift+F", "Removes the marks of the search", "", 0, false, Window},
    {"analyse.filter", "Filter the events…", "Analyse", 1, "Ctrl+L", "Only events that match an expression are listed", "filter", 0, false, Window},
    {"analyse.filter-rows", "Filter the rows…", "Analyse", 1, "Ctrl+Shift+L", "Only rows whose name or number matches are shown, with what they hang below", "", 0, false, Window},
    {"analyse.undo", "Undo", "Analyse", 2, "Ctrl+Z", "Takes back what was changed last about the hosts: their clocks, names, colours", "", 0, false, Window},
    {"analyse.redo", "Redo", "Analyse", 2, "Ctrl+Shift+Z", "Does again what was taken back of the hosts", "", 0, false, Window},
    {"clocks.same-moment", "Same moment as on another host…", "Analyse/Clocks", 0, "Ctrl+Shift+E", "Aligns two hosts: the selected row's moment is taken, then that of another host's row; Escape gives it up", "", 0, false, Window},
    {"clocks.align", "Align all hosts again", "Analyse/Clocks", 0, "", "Forgets what was set by hand: clocks are where they were found to be", "", 0, false, Window},
    {"clocks.import", "Import clocks…", "Analyse/Clocks", 1, "", "Takes the hosts' clocks from a file, as --sync does", "", 0, false, Window},
    {"clocks.export", "Export clocks…", "Analyse/Clocks", 1, "", "Writes how the hosts' clocks are related to a file that --sync takes", "", 0, false, Window},
    {"analyse.new", "New analysis…", "Analyse", 3, "", "Writes an analysis that works, with an explanation of each part, and opens it in your editor", "file", 0, false, Window},
    {"analyse.load", "Load analysis file…", "Analyse", 3, "", "Runs the analyses of an XML file on what is open, whatever traces they are for", "", 0, false, Window},
    {"analyse.folder", "Open the folder of your analyses", "Analyse", 3, "", "XML files in it are analyses from then on", "folder", 0, false, Window},

    {"compare.with-files", "Compare with files…", "Compare", 0, "Ctrl+Shift+C", "Opens another recording beside this one, on one time axis: this is A, the other B", "", 0, false, Window},
    {"compare.with-folder", "Compare with a folder…", "Compare", 0, "", "The same with all traces in a folder", "", 0, false, Window},
    {"compare.hold", "Hold this range, thread or call as A", "Compare", 1, "Ctrl+Shift+A", "What is compared next is compared with the range and the thread, or the call, that are selected now", "", 0, false, Window},
    {"compare.with-held", "Compare this range, thread or call with A", "Compare", 1, "Ctrl+Shift+B", "Two ranges, threads or calls of one experiment, side by side", "", 0, false, Window},
    {"compare.calls", "Slow calls of the function with its quick ones…", "Compare", 2, "", "Of the function that the selected row is in at the cursor: where the slow ones' time went, and what they called", "", 0, false, Window},

    {"help.palette", "Find a command, row or time…", "Help", 0, "Ctrl+K Ctrl+Shift+P", "> command, @ row, : time, nothing: all", "search", 0, false, Window},
    {"help.habits", "Keys and mouse", "Help", 0, "? F1", "The list of all habits", "question", 0, false, Window},
    {"help.guide", "Guide", "Help", 0, "", "Open the user guide", "", 0, false, Window},
    {"help.about", "About Heliograph", "Help", 1, "", "Version and licence", "", 0, false, Window},
};

constexpr GestureSpec Gestures[] = {
    {"Wheel", "Scroll rows"},
    {"Ctrl+wheel", "Zoom at the pointer"},
    {"Shift+wheel", "Pan in time"},
    {"Ctrl+Shift+wheel", "Density of the rows"},
    {"Left drag", "Select a time range, in a panel or on the ruler; with Shift or Alt the edges snap to state boundaries"},
    {"Middle drag, Space + left drag", "Pan"},
    {"Right drag", "Zoom to the dragged range"},
    {"Click", "Set the cursor, select the row and the state under it"},
    {"Double click on a state", "Zoom to that state"},
    {"Drag the brush in the overview", "Move the visible window; its edges resize it"},
    {"Click on an arrow", "Both its ends in Details, and what it carried"},
    {"Ctrl + left drag on a host, or on its lane in the overview", "Shift the host’s clock, with all that is on it; with Shift or Alt it snaps to where the packets have it; Esc: as it was"},
    {"Right click on a host", "Its name, its colour, its place"},
    {"Drag beside the brush", "Another visible window, from there to there"},
};
// clang-format on

} // namespace

namespace {

/// Adds actions that show and hide the docks and panels found by the build, before the actions of the docks themselves.
std::vector<ActionSpec> withViews()
{
    static std::deque<std::string> ids; // The texts of the table live as long as the program.
    const auto kept = [](std::string text) { return ids.emplace_back(std::move(text)).c_str(); };
    std::vector<const ViewKind*> docks(builtinViews().begin(), builtinViews().end());
    std::ranges::sort(docks, {}, &ViewKind::menuOrder);
    std::vector<ActionSpec> views;
    for (const TrackView& it : basicViews())
        views.push_back({kept("view.panel-" + it.id), kept(it.title), PanelMenu, 0, "", kept(it.tip), "", 0, true, Window});
    for (const ViewKind* it : docks)
        views.push_back({kept(std::string("view.") + it->id), it->title, "View/Docks", 0, it->shortcut, it->tip, "", 0, false, Window});
    std::vector<ActionSpec> all(std::begin(Actions), std::end(Actions));
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
