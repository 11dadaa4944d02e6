#include "app/gui/compare_window/comparison_actions.h"

namespace helio {

namespace {

constexpr auto Window = ActionSpec::Scope::Window;
constexpr auto OnTimeArea = ActionSpec::Scope::TimeArea;

// clang-format off
constexpr ActionSpec ComparisonActions[] = {
    {"file.save", "Save comparison", "File", 0, "Ctrl+S", "Save both sides, their alignment and the layout to a .heliograph file", "", 0, false, Window},
    {"file.save-as", "Save comparison as…", "File", 0, "Ctrl+Shift+S", "Save the comparison to another file", "", 0, false, Window},
    {"file.copy-command", "Copy as command", "File", 0, "", "Copy the command line for the current dock", "", 0, false, Window},
    {"file.symbols", "Symbol paths…", "File", 1, "", "Set where to find binaries, libraries and the recorded kernel's symbols", "", 0, false, Window},
    {"file.cancel", "Stop loading", "File", 1, "", "Stop indexing both sides; keep what has been read", "", 0, false, Window},
    {"file.close", "Close", "File", 1, "Ctrl+W", "Close the comparison", "", 0, false, Window},
    {"file.quit", "Quit", "File", 2, "Ctrl+Q", "Quit Heliograph", "", 0, false, Window},

    {"edit.undo", "Undo", "Edit", 0, "Ctrl+Z", "Undo the last change to rows, panels, filters, bookmarks or hosts of either side", "", 0, false, Window},
    {"edit.redo", "Redo", "Edit", 0, "Ctrl+Shift+Z", "Redo the change that was undone last", "", 0, false, Window},
    {"edit.copy", "Copy", "Edit", 1, "Ctrl+C", "Copy the selected text or rows; in the timeline, the selected state", "", 0, false, Window},

    {"view.zoom-in", "Zoom in", "View", 0, "W", "Zoom in at the cursor", "", 0, false, Window},
    {"view.zoom-out", "Zoom out", "View", 0, "S", "Zoom out around the cursor", "", 0, false, Window},
    {"view.pan-left", "Pan left", "View", 0, "A", "Show earlier times", "", 0, false, Window},
    {"view.pan-right", "Pan right", "View", 0, "D", "Show later times", "", 0, false, Window},
    {"view.fit", "Zoom to fit both", "View", 0, "F", "Show the selected range; press again for both sides completely, and again to return", "fit", 3, false, Window},
    {"view.zoom-selection", "Zoom to selection", "View", 0, "Z", "Show only the selected range", "zoom-in", 4, false, Window},
    {"view.clear-selection", "Clear selection", "View", 0, "Esc", "Deselect the time range", "", 0, false, OnTimeArea},
    {"view.differences", "Differences", "View", 0, "F10", "Show or hide the flame graph, functions and durations of both sides", "", 0, false, Window},
    {"view.why-slower", "Why slower", "View", 0, "F9", "Show or hide where the wall time went", "split", 6, false, Window},
    {"view.clocks-a", "Clocks of A", "View", 0, "", "Show how the clocks of A's hosts are related, if it has several", "", 0, false, Window},
    {"view.clocks-b", "Clocks of B", "View", 0, "", "Show how the clocks of B's hosts are related, if it has several", "", 0, false, Window},
    {"view.cpus", "CPUs above threads", "View", 0, "", "Show CPU rows on both sides, if recorded", "", 0, true, Window},
    {"view.beside", "Side by side", "View", 0, "F8", "Show A on the left and B on the right; press again for A above B", "", 0, true, Window},
    {"view.only-compared", "Show compared threads only", "View", 0, "O", "Hide all other threads", "", 0, true, Window},

    {"view.theme-desktop", "Follow desktop", "View/Theme", 0, "", "Use the desktop's dark or light theme", "", 0, true, Window},
    {"view.theme-dark", "Dark", "View/Theme", 0, "", "Light text on a dark background", "", 0, true, Window},
    {"view.theme-light", "Light", "View/Theme", 0, "", "Dark text on a light background", "", 0, true, Window},

    {"go.back", "Back", "Go", 0, "Alt+Left", "Previous location", "back", 1, false, Window},
    {"go.forward", "Forward", "Go", 0, "Alt+Right", "Next location", "forward", 2, false, Window},
    {"go.bookmark", "Add bookmark", "Go", 0, "M", "Bookmark the cursor or the selected range of the side with the focus", "bookmark", 5, false, Window},
    {"go.time", "Go to time…", "Go", 0, "Ctrl+G", "12:34:56.789012345, +1.5s from the start, ns since the epoch, or a range: +2s .. +2.5s", "", 0, false, Window},
    {"go.copy-link", "Copy link", "Go", 0, "", "Copy the command that opens the side with the focus at its time, range and row", "", 0, false, Window},

    {"analyse.new", "New analysis…", "Analysis", 0, "", "Create a working analysis with explanations and open it in your editor", "file", 0, false, Window},
    {"analyse.load", "Load analysis file…", "Analysis", 0, "", "Run the analyses of an XML file on both sides, whatever traces they are meant for", "", 0, false, Window},
    {"analyse.folder", "Open analysis folder", "Analysis", 0, "", "Open the folder whose XML files are loaded as analyses", "folder", 0, false, Window},

    {"align.linked", "Link axes", "Align", 0, "L", "Show the same times on both sides, counted from where they are aligned", "", 0, true, Window},
    {"align.by-run", "Process start", "Align", 0, "", "Align both sides at the start of the compared program", "", 0, false, Window},
    {"align.by-event", "First event", "Align", 0, "", "Align both sides at the first event of each trace", "", 0, false, Window},
    {"align.by-function", "First sample in a function…", "Align", 0, "", "Align both sides at the first sample in a function", "", 0, false, Window},
    {"align.by-bookmarks", "Bookmarks", "Align", 0, "", "Align both sides at bookmarks of the same name, else at the first of each", "", 0, false, Window},
    {"align.by-cursors", "Cursors (unlinked axes only)", "Align", 0, "", "Align both sides at their cursors", "", 0, false, Window},

    {"compare.threads", "Compare selected threads", "Compare", 0, "T", "Compare the thread selected in A with the one selected in B", "", 0, false, Window},
    {"compare.exchange", "Swap A and B", "Compare", 0, "", "A becomes B, and B becomes A", "", 0, false, Window},

    {"help.habits", "Keyboard shortcuts", "Help", 0, "F1 ?", "All shortcuts", "", 0, false, Window},
    {"help.palette", "Command palette…", "Help", 0, "Ctrl+K Ctrl+Shift+P", "Find commands (>), rows (@) and times (:), or all of them without a prefix", "", 0, false, Window},
};
// clang-format on

} // namespace

std::span<const ActionSpec> comparisonActions() { return ComparisonActions; }

} // namespace helio
