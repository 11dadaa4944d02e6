#pragma once

#include <QString>

namespace helio {

class ViewContext;

/// Asks where, and writes how the clocks are related there: a file that --sync takes. Says how it went.
void exportClocks(ViewContext& context);
/// Asks for such a file and takes what it says of the hosts that are here, as one step.
void importClocks(ViewContext& context);

/// The same of a file. Empty: it is done; else what is wrong.
QString writeClocks(ViewContext& context, const QString& path);
QString readClocks(ViewContext& context, const QString& path);

} // namespace helio
