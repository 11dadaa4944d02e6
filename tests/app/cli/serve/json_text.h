#pragma once

#include <QByteArray>

/// Returns `text` with single quotes replaced by double quotes. The tests write JSON with single quotes, because moc misreads some raw
/// strings.
inline QByteArray json(const char* text) { return QByteArray(text).replace('\'', '"'); }
