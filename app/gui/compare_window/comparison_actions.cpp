#include "app/gui/compare_window/comparison_actions.h"

namespace helio {

namespace {

constexpr auto Window = ActionSpec::Scope::Window;
constexpr auto OnTimeArea = ActionSpec::Scope::TimeArea;

// clang-format off
constexpr ActionSpec ComparisonActions[] = {
    {"file.save", "Save the comparison", "File", 0, "Ctrl+S", "Saves both sides, their alignment and the layout to a .heliograph file", "", 0, false, Window},
    {"file.save-as", "Save the comparison as…", "File", 0, "Ctrl+Shift+S", "Saves the comparison to another file", "", 0, false, Window},
    {"file.symbols", "Symbols…", "File", 0, "", "Where programs, libraries and the recorded kernel's symbols lie", "", 0, false, Window},
    {"file.cancel", "Stop reading", "File", 0, "", "Stops indexing both sides; what is known stays", "", 0, false, Window},
    {"file.close", "Close", "File", 0, "Ctrl+W", "Closes the comparison", "", 0, false, Window},
    {"file.quit", "Quit", "File", 0, "Ctrl+Q", "Ends the program", "", 0, false, Window},

    {"view.zoom-in", "Zoom in", "View", 0, "W", "Zooms in at the cursor", "", 0, false, Window},
    {"view.zoom-out", "Zoom out", "View", 0, "S", "Zooms out around the cursor", "", 0, false, Window},
    {"view.pan-left", "Pan left", "View", 0, "A", "Moves the window to earlier times", "", 0, false, Window},
    {"view.pan-right", "Pan right", "View", 0, "D", "Moves the window to later times", "", 0, false, Window},
    {"view.fit", "Fit both", "View", 0, "F", "Shows all of both sides; again: returns", "fit", 3, false, Window},
    {"view.zoom-selection", "Zoom to the selected range", "View", 0, "Z", "Shows the selected range alone", "zoom-in", 4, false, Window},
    {"view.clear-selection", "Clear the selected range", "View", 0, "Esc", "Nothing is selected then", "", 0, false, OnTimeArea},
    {"view.differences", "Differences", "View", 0, "F10", "Shows or hides the flame graph, functions and durations of both sides", "", 0, false, Window},
    {"view.why-slower", "Why slower", "View", 0, "F9", "Shows or hides where the wall time went", "split", 6, false, Window},
    {"view.clocks-a", "Clocks of A", "View", 0, "", "How the clocks of A's hosts are related, where it has several", "", 0, false, Window},
    {"view.clocks-b", "Clocks of B", "View", 0, "", "How the clocks of B's hosts are related, where it has several", "", 0, false, Window},
    {"view.cpus", "CPUs above the threads", "View", 0, "", "Shows the rows of CPUs on both sides, where they were recorded", "", 0, true, Window},
    {"view.beside", "Side by side", "View", 0, "F8", "A at the left and B at the right; again: A above B", "", 0, true, Window},
    {"view.only-compared", "Only the threads of what is compared", "View", 0, "O", "Other threads are hidden", "", 0, true, Window},

    {"view.theme-desktop", "Follow the desktop", "View/Theme", 0, "", "Dark or light as the desktop is", "", 0, true, Window},
    {"view.theme-dark", "Dark", "View/Theme", 0, "", "Light on dark", "", 0, true, Window},
    {"view.theme-light", "Light", "View/Theme", 0, "", "Dark on light", "", 0, true, Window},

    {"go.back", "Back", "Go", 0, "Alt+Left", "To the place before", "back", 1, false, Window},
    {"go.forward", "Forward", "Go", 0, "Alt+Right", "To the place after", "forward", 2, false, Window},
    {"go.bookmark", "Put a bookmark", "Go", 0, "M", "At the cursor or on the selected range of the side with the focus", "bookmark", 5, false, Window},
    {"go.time", "Go to time…", "Go", 0, "Ctrl+G", "12:34:56.789012345, +1.5s from the start, or ns since the epoch", "", 0, false, Window},

    {"analyse.new", "New analysis…", "Analyse", 0, "", "Writes an analysis that works, with an explanation of each part, and opens it in your editor", "file", 0, false, Window},
    {"analyse.load", "Load analysis file…", "Analyse", 0, "", "Runs the analyses of an XML file on both sides, whatever traces they are for", "", 0, false, Window},
    {"analyse.folder", "Open the folder of your analyses", "Analyse", 0, "", "XML files in it are analyses from then on", "folder", 0, false, Window},

    {"align.linked", "Linked axes", "Align", 0, "L", "Both sides show the same times, counted from where they are aligned", "", 0, true, Window},
    {"align.by-run", "By the first run of what is compared", "Align", 0, "", "Both sides begin where the compared program does", "", 0, false, Window},
    {"align.by-event", "By the first event", "Align", 0, "", "Both sides begin where their recordings do", "", 0, false, Window},
    {"align.by-function", "By the first sample in a function…", "Align", 0, "", "Both sides begin where the function was sampled first", "", 0, false, Window},
    {"align.by-bookmarks", "By bookmarks", "Align", 0, "", "Both sides begin at bookmarks of one name, else at the first of each", "", 0, false, Window},
    {"align.by-cursors", "By the cursors, where the axes are not linked", "Align", 0, "", "Both sides begin at their cursors", "", 0, false, Window},
    {"align.undo", "Undo", "Align", 1, "Ctrl+Z", "Takes back what was changed last about the hosts' clocks of either side", "", 0, false, Window},
    {"align.redo", "Redo", "Align", 1, "Ctrl+Shift+Z", "Does again what was taken back of the hosts' clocks", "", 0, false, Window},

    {"compare.threads", "The selected threads", "Compare", 0, "T", "Compares the thread selected in A with the one selected in B", "", 0, false, Window},
    {"compare.exchange", "Exchange A and B", "Compare", 0, "", "What was A is B, and the other way round", "", 0, false, Window},

    {"help.habits", "Keys and mouse", "Help", 0, "F1 ?", "The list of all habits", "", 0, false, Window},
    {"help.palette", "Find a command, row or time…", "Help", 0, "Ctrl+K Ctrl+Shift+P", "> command, @ row, : time, nothing: all", "", 0, false, Window},
};
// clang-format on

} // namespace

std::span<const ActionSpec> comparisonActions() { return ComparisonActions; }

} // namespace helio
