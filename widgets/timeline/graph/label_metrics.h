#pragma once

namespace helio {

/// Width in pixels below which a label column is narrow: rows have no meters.
constexpr int NarrowLabels = 224;

/// Width in pixels below which a label column is compact: rows have less indentation, and no titles above their ids.
constexpr int CompactLabels = 260;

constexpr bool isNarrow(int labelWidth) { return labelWidth < NarrowLabels; }
constexpr bool isCompact(int labelWidth) { return labelWidth < CompactLabels; }

/// Returns the indentation of rows for each level of the tree, in pixels.
constexpr int indentOf(int labelWidth) { return isCompact(labelWidth) ? 8 : 16; }

/// Returns the distance between the right edges of the ids and of the column, in pixels.
constexpr int idRightOf(int labelWidth) { return isNarrow(labelWidth) ? 52 : 86; }

} // namespace helio
