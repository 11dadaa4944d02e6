#pragma once

namespace helio {

/// Registers the accessible interface of time graphs: a list with an item for each row, whose name says row, state, time and duration at
/// the cursor. Screen readers read the selected item when the graph has the focus. Does nothing when called again. Threads: UI thread.
void installGraphAccessible();

} // namespace helio
