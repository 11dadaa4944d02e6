#pragma once

#include <QString>

namespace helio {

class ViewContext;

/// Asks the user for a file and writes the clock relations to it in the format of --sync; reports the result to the user.
void exportClocks(ViewContext& context);
/// Asks the user for a --sync file and applies its entries for the open hosts as one undo step.
void importClocks(ViewContext& context);

/// Write the clock relations to the file at `path`, or read them from it. Return an error message; empty on success.
QString writeClocks(ViewContext& context, const QString& path);
QString readClocks(ViewContext& context, const QString& path);

} // namespace helio
