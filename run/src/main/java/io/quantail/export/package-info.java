/** Trained agents as files for other programs: ONNX models and rows to check them with. */
package io.quantail.export;
