#pragma once

namespace helio {

/// Width in pixels below which a label column is narrow. In a narrow label column, rows have no meters.
constexpr int NarrowLabels = 224;

/// Width in pixels below which a label column is compact. In a compact label column, rows have less indentation, and the column of ids has
/// no title.
constexpr int CompactLabels = 260;

constexpr bool isNarrow(int labelWidth) { return labelWidth < NarrowLabels; }
constexpr bool isCompact(int labelWidth) { return labelWidth < CompactLabels; }

/// Returns the indentation of rows for each level of the tree, in pixels.
constexpr int indentOf(int labelWidth) { return isCompact(labelWidth) ? 8 : 16; }

/// Returns the distance between the right edges of the ids and of the column, in pixels.
constexpr int idRightOf(int labelWidth) { return isNarrow(labelWidth) ? 52 : 86; }

} // namespace helio
