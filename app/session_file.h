#pragma once

#include "core/base/result.h"
#include "widgets/time/bookmarks.h"

#include <QByteArray>
#include <QJsonObject>
#include <QString>
#include <QStringList>

#include <vector>

namespace helio {

/// What a person did, as a `.heliograph` file keeps it: a JSON object, version 1. Times are texts of ns, since JSON's numbers are too
/// small for them. Unknown members are ignored.
struct SessionState {
    QStringList traces; ///< As opened; relative ones are relative to the session file.
    TimeRange visible{};
    TimeRange selection{};
    Timestamp cursor{};
    int rowTrace = -1; ///< With rowId: the selected row; -1: none.
    QString rowView;
    QString rowId;
    std::vector<Bookmark> bookmarks;
    QString search;
    QString filter;
    QJsonObject layout; ///< Of the window: splitters, open docks.
};

QByteArray sessionJson(const SessionState& state);
Result<SessionState> parseSession(const QByteArray& json);

/// The files: at most 16 MB; paths below the file's folder are kept relative to it. Written whole or not at all.
Status saveSession(const SessionState& state, const QString& path);
Result<SessionState> loadSession(const QString& path);

} // namespace helio
