#pragma once

namespace helio {

class PanelHeader;

/// Registers the accessible interfaces of time graphs and of the headers of panels. A graph is a list with an item for each row, whose name
/// says row, state, time and duration at the cursor; screen readers read the selected item when the graph has the focus. A header that can
/// be collapsed is a button that says whether it is. Does nothing when called again. Threads: UI thread.
void installGraphAccessible();

/// Tells screen readers that a panel was opened or closed. Threads: UI thread.
void reportExpansion(PanelHeader& header);

} // namespace helio
