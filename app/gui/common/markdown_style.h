#pragma once

#include <QString>

class QPainter;
class QRectF;
class QTextDocument;

namespace helio {

/// Returns the name of a heading's anchor as on code hosting sites: lower case, hyphens for spaces, no punctuation except `-` and `_`.
QString headingAnchor(const QString& heading);

/// Styles a document that QTextDocument::setMarkdown() loaded: fonts and colours of the theme, margins, wrapped lines of code, table
/// borders, and anchors at headings. Repeated headings get the anchors `name-1`, `name-2`, and so on.
void styleMarkdown(QTextDocument& document);

/// Paints the backgrounds of code blocks of a styled document that intersect `visible`, in coordinates of the document. Needed because text
/// blocks of Qt have no padding.
void paintCodeBackgrounds(QPainter& painter, const QTextDocument& document, const QRectF& visible);

} // namespace helio
