#include "app/gui/fleet/fleet_actions.h"

namespace helio {

namespace {

constexpr auto InWindow = ActionSpec::Scope::Window;

// clang-format off
constexpr ActionSpec FleetActions[] = {
    {"file.open-fleet", "Open fleet…", "File", 0, "Ctrl+O", "Open another catalogue of traces", "folder", 1, false, InWindow},
    {"file.reload", "Reload", "File", 0, "F5", "Read the catalogue again, after traces were added", "", 0, false, InWindow},
    {"file.open-trace", "Open trace", "File", 1, "Ctrl+Return", "Open the selected trace in a window of its own", "file", 2, false, InWindow},
    {"file.copy-command", "Copy as command", "File", 1, "", "Copy the command that opens the selected trace", "", 0, false, InWindow},
    {"file.close", "Close", "File", 2, "Ctrl+W", "Close the fleet", "", 0, false, InWindow},
    {"file.quit", "Quit", "File", 2, "Ctrl+Q", "Quit Heliograph", "", 0, false, InWindow},

    {"edit.find", "Filter traces…", "Edit", 0, "Ctrl+F Ctrl+L", "List only traces that match an expression", "filter", 3, false, InWindow},
    {"edit.clear-filter", "Clear filter", "Edit", 0, "Ctrl+Shift+F", "Remove all conditions; so does Esc in the table", "", 0, false, InWindow},

    {"view.details", "Details", "View", 0, "F9", "Show or hide the details of the selected trace, and the queries", "split", 4, true, InWindow},
    {"view.sql", "SQL", "View", 0, "Ctrl+Shift+Q", "Query the catalogue in SQL", "", 0, false, InWindow},
    {"view.theme-desktop", "Follow desktop", "View/Theme", 0, "", "Use the desktop's dark or light theme", "", 0, true, InWindow},
    {"view.theme-dark", "Dark", "View/Theme", 0, "", "Light text on a dark background", "", 0, true, InWindow},
    {"view.theme-light", "Light", "View/Theme", 0, "", "Dark text on a light background", "", 0, true, InWindow},

    {"compare.set-a", "Set as A", "Compare", 0, "Ctrl+Shift+A", "Mark the selected trace as A of a comparison; again to remove the mark", "", 0, false, InWindow},
    {"compare.set-b", "Set as B", "Compare", 0, "Ctrl+Shift+B", "Mark the selected trace as B of a comparison; again to remove the mark", "", 0, false, InWindow},
    {"compare.marked", "Compare A and B", "Compare", 0, "Ctrl+Shift+C", "Open the two marked traces side by side", "", 0, false, InWindow},
    {"compare.typical", "Compare with a typical one", "Compare", 1, "Ctrl+T", "Open the selected trace as B beside a trace with median latencies", "", 0, false, InWindow},

    {"help.palette", "Command palette…", "Help", 0, "Ctrl+K Ctrl+Shift+P", "Find commands", "", 0, false, InWindow},
    {"help.habits", "Keyboard shortcuts", "Help", 0, "F1 ?", "All shortcuts", "", 0, false, InWindow},
};
// clang-format on

} // namespace

std::span<const ActionSpec> fleetActions() { return FleetActions; }

} // namespace helio
